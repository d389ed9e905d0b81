// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of an API class that has a builder. {@link RecordCodec} encodes an object that a builder has created as
 * the values of the object's attributes. For each attribute, the class has an accessor, and the builder has a method that
 * sets it. The builder sets the attributes in the order of their names, so {@code stateCode}, set after {@code state},
 * overrides {@code state}.
 */
final class BuiltType {
    private static final Map<Class<?>, BuiltType> KNOWN = new ConcurrentHashMap<>();

    private final Class<?> type;
    private final Method builder;
    private final List<Attribute> attributes;

    record Attribute(Method accessor, Method setter) {
        String name() {
            return accessor.getName();
        }

        Type type() {
            return accessor.getGenericReturnType();
        }

        Object of(Object built) {
            return invoke(accessor, built);
        }
    }

    private BuiltType(Class<?> type) {
        this.type = type;
        builder = method(type, "builder");
        attributes = Arrays.stream(builder.getReturnType().getMethods())
                .filter(setter -> setter.getParameterCount() == 1 && setter.getReturnType() == builder.getReturnType())
                .filter(setter -> Arrays.stream(type.getMethods())
                        .anyMatch(accessor -> accessor.getParameterCount() == 0
                                && accessor.getName().equals(setter.getName())
                                && accessor.getReturnType() == setter.getParameterTypes()[0]))
                .map(setter -> new Attribute(method(type, setter.getName()), setter))
                .sorted(Comparator.comparing(Attribute::name))
                .toList();
    }

    /** Returns whether a class has a builder that creates its instances. */
    static boolean is(Class<?> type) {
        return !type.isRecord()
                && Arrays.stream(type.getMethods())
                        .anyMatch(each -> each.getName().equals("builder") && each.getParameterCount() == 0);
    }

    static BuiltType of(Class<?> type) {
        return KNOWN.computeIfAbsent(type, BuiltType::new);
    }

    List<Attribute> attributes() {
        return attributes;
    }

    /** Builds an instance of the class from one value for each attribute. */
    Object build(List<Object> values) throws IOException {
        Object made = invoke(builder, null);
        try {
            for (int i = 0; i < values.size(); i++) {
                invoke(attributes.get(i).setter(), made, values.get(i));
            }
            return invoke(method(made.getClass(), "build"), made);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw new IOException(type.getSimpleName() + " refuses what came: " + refused.getMessage(), refused);
        }
    }

    private static Method method(Class<?> of, String name) {
        try {
            return of.getMethod(name);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Object invoke(Method method, @Nullable Object on, Object... arguments) {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(thrown);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
