// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.arbitraries;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates random values for the parameters of a rule. The type and the annotations of a rule's parameter determine how
 * its random value is created.
 */
public final class Parameters {
    private Parameters() {}

    /**
     * {@return the values of a rule's parameters, in the order of the parameters}
     *
     * @param rule the method of the rule
     * @param choices the random numbers from which the values of the rule's parameters are computed
     * @throws IllegalArgumentException if the kit cannot generate values of a parameter's type
     */
    public static List<Object> draw(Method rule, Choices choices) {
        List<Object> values = new ArrayList<>();
        for (AnnotatedType type : rule.getAnnotatedParameterTypes()) {
            values.add(draw(type, choices));
        }
        return values;
    }

    private static Object draw(AnnotatedType type, Choices choices) {
        From from = type.getAnnotation(From.class);
        if (from != null) {
            return arbitrary(from).draw(choices);
        }
        if (type instanceof AnnotatedParameterizedType collection && type.isAnnotationPresent(Size.class)) {
            return draw(collection, type.getAnnotation(Size.class), choices);
        }
        Type plain = type.getType();
        if (plain == int.class || plain == Integer.class) {
            return draw(type.getAnnotation(IntRange.class), choices);
        }
        if (plain == boolean.class || plain == Boolean.class) {
            return choices.of(false, true);
        }
        if (plain == long.class) {
            return choices.anyLong();
        }
        if (plain == byte.class) {
            return (byte) choices.between(Byte.MIN_VALUE, Byte.MAX_VALUE);
        }
        if (plain instanceof Class<?> constants && constants.isEnum()) {
            return choices.of(constants.getEnumConstants());
        }
        throw new IllegalArgumentException("a rule has a parameter of type " + type + "; annotate it with @From");
    }

    private static int draw(@Nullable IntRange range, Choices choices) {
        return range == null
                ? choices.between(Integer.MIN_VALUE, Integer.MAX_VALUE)
                : choices.between(range.min(), range.max());
    }

    private static Object draw(AnnotatedParameterizedType collection, Size size, Choices choices) {
        AnnotatedType element = collection.getAnnotatedActualTypeArguments()[0];
        List<Object> list = choices.list(size.min(), size.max(), each -> draw(element, each));
        return ((ParameterizedType) collection.getType()).getRawType() == Set.class ? new LinkedHashSet<>(list) : list;
    }

    private static Arbitrary<?> arbitrary(From from) {
        try {
            return from.value().getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(from.value() + " has no public constructor without parameters", e);
        }
    }
}
