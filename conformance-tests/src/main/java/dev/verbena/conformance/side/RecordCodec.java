// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.QpAttributes;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Encodes the operations of a rule ({@link Step}) and their results ({@link Reply}) for the TCP connection to a conformance
 * agent. All encoded numbers are in network byte order. A Java record is encoded as its components, in the order of their
 * declaration. An instance of a class with a builder is encoded as the values of its attributes; {@link BuiltType}
 * determines the attributes. A value of a sealed interface is encoded as the index of its class among the permitted
 * classes, followed by the value. An enum constant is encoded as its ordinal. Lists, sets, strings and byte arrays are
 * preceded by their length; optional values are preceded by a flag. Two builds of Verbena whose {@link #shape} is equal
 * encode all records equally.
 */
final class RecordCodec {
    /**
     * The maximum depth of nested values, such as records and lists. The records of a {@link Step} are nested at most five
     * deep.
     */
    private static final int MOST_NESTED = 16;

    private static final Map<Class<?>, RecordComponent[]> COMPONENTS = new ConcurrentHashMap<>();

    private RecordCodec() {}

    static void write(Type type, Object value, DataOutput out) throws IOException {
        if (type instanceof ParameterizedType generic) {
            writeGeneric(generic, value, out);
            return;
        }
        Class<?> raw = (Class<?>) type;
        switch (value) {
            case Integer number -> out.writeInt(number);
            case Long number -> out.writeLong(number);
            case Boolean truth -> out.writeBoolean(truth);
            case String text -> writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
            case byte[] bytes -> writeBytes(bytes, out);
            case Duration time -> out.writeLong(time.toNanos());
            case Enum<?> constant -> out.writeShort(constant.ordinal());
            case QpAttributes attributes -> QpAttributesCodec.write(attributes, out);
            case Record composed -> {
                if (raw.isSealed()) {
                    out.writeShort(permitted(raw).indexOf(value.getClass()));
                }
                for (RecordComponent component : components(value.getClass())) {
                    write(component.getGenericType(), get(component, composed), out);
                }
            }
            default -> {
                if (!BuiltType.is(raw)) {
                    throw new IOException("no encoding is defined for " + value.getClass());
                }
                for (BuiltType.Attribute attribute : BuiltType.of(raw).attributes()) {
                    write(attribute.type(), attribute.of(value), out);
                }
            }
        }
    }

    private static void writeGeneric(ParameterizedType generic, Object value, DataOutput out) throws IOException {
        Type element = generic.getActualTypeArguments()[0];
        switch (value) {
            case Optional<?> optional -> {
                out.writeBoolean(optional.isPresent());
                if (optional.isPresent()) {
                    write(element, optional.get(), out);
                }
            }
            case List<?> list -> writeAll(element, list, out);
            case Set<?> set -> writeAll(element, List.copyOf(new TreeSet<>(set)), out);
            default -> throw new IOException("no encoding is defined for " + generic);
        }
    }

    private static void writeAll(Type element, List<?> values, DataOutput out) throws IOException {
        out.writeInt(values.size());
        for (Object value : values) {
            write(element, value, out);
        }
    }

    private static void writeBytes(byte[] bytes, DataOutput out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Decodes a value. Even if the input is invalid, decoding allocates memory only in proportion to its length. */
    static Object read(Type type, DataInputStream in) throws IOException {
        try {
            return read(type, in, 0);
        } catch (IllegalArgumentException | ArithmeticException refused) {
            throw new IOException("invalid value of " + type.getTypeName() + ": " + refused.getMessage(), refused);
        }
    }

    private static Object read(Type type, DataInputStream in, int depth) throws IOException {
        if (depth > MOST_NESTED) {
            throw new IOException("records are nested deeper than " + MOST_NESTED);
        }
        if (type instanceof ParameterizedType generic) {
            return readGeneric(generic, in, depth);
        }
        Class<?> raw = (Class<?>) type;
        if (raw == int.class || raw == Integer.class) {
            return in.readInt();
        }
        if (raw == long.class || raw == Long.class) {
            return in.readLong();
        }
        if (raw == boolean.class) {
            return in.readBoolean();
        }
        if (raw == String.class) {
            return new String(readBytes(in), StandardCharsets.UTF_8);
        }
        if (raw == byte[].class) {
            return readBytes(in);
        }
        if (raw == Duration.class) {
            return Duration.ofNanos(in.readLong());
        }
        if (raw == QpAttributes.class) {
            return QpAttributesCodec.read(in);
        }
        if (raw.isEnum()) {
            return at(List.of(raw.getEnumConstants()), in.readUnsignedShort(), raw);
        }
        if (raw.isSealed()) {
            return readRecord(at(permitted(raw), in.readUnsignedShort(), raw), in, depth);
        }
        if (raw.isRecord()) {
            return readRecord(raw, in, depth);
        }
        if (BuiltType.is(raw)) {
            return readBuilt(BuiltType.of(raw), in, depth);
        }
        throw new IOException("no encoding is defined for " + raw);
    }

    private static Object readBuilt(BuiltType type, DataInputStream in, int depth) throws IOException {
        List<Object> values = new ArrayList<>();
        for (BuiltType.Attribute attribute : type.attributes()) {
            values.add(read(attribute.type(), in, depth + 1));
        }
        return type.build(values);
    }

    private static Object readGeneric(ParameterizedType generic, DataInputStream in, int depth) throws IOException {
        Type element = generic.getActualTypeArguments()[0];
        if (generic.getRawType() == Optional.class) {
            return in.readBoolean() ? Optional.of(read(element, in, depth + 1)) : Optional.empty();
        }
        int length = length(in);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            values.add(read(element, in, depth + 1));
        }
        return generic.getRawType() == Set.class ? Set.copyOf(values) : values;
    }

    private static int length(DataInputStream in) throws IOException {
        int length = in.readInt();
        // Each element of a list is encoded as one byte or more.
        if (length < 0 || length > in.available()) {
            throw new IOException("a length of " + length + " with " + in.available()
                    + " bytes left; the peer is not a conformance kit");
        }
        return length;
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[length(in)];
        in.readFully(bytes);
        return bytes;
    }

    private static <T> T at(List<T> list, int index, Class<?> what) throws IOException {
        if (index >= list.size()) {
            throw new IOException(
                    what.getSimpleName() + " has no value " + index + "; the other side uses another protocol");
        }
        return list.get(index);
    }

    private static Object readRecord(Class<?> type, DataInputStream in, int depth) throws IOException {
        RecordComponent[] components = components(type);
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = read(components[i].getGenericType(), in, depth + 1);
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            throw new IOException(type.getSimpleName() + " refuses what came: " + refused.getCause(), refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Object get(RecordComponent component, Record value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static RecordComponent[] components(Class<?> type) {
        return COMPONENTS.computeIfAbsent(type, key -> {
            RecordComponent[] components = key.getRecordComponents();
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true);
            }
            return components;
        });
    }

    private static List<Class<?>> permitted(Class<?> type) {
        return List.of(type.getPermittedSubclasses());
    }

    /** Returns a hash of the {@link Step} and {@link Reply} types. Builds with different hashes are incompatible. */
    static int shape() {
        StringBuilder text = new StringBuilder();
        describe(Step.class, text, new TreeSet<>());
        describe(Reply.class, text, new TreeSet<>());
        return text.toString().hashCode();
    }

    private static void describe(Type type, StringBuilder text, Set<String> seen) {
        text.append(type.getTypeName()).append(' ');
        if (type instanceof ParameterizedType generic) {
            describe(generic.getActualTypeArguments()[0], text, seen);
        } else if (type instanceof Class<?> raw && seen.add(raw.getName())) {
            if (raw.isSealed()) {
                permitted(raw).forEach(each -> describe(each, text, seen));
            } else if (raw.isRecord()) {
                for (RecordComponent component : raw.getRecordComponents()) {
                    describe(
                            component.getGenericType(),
                            text.append(component.getName()).append(' '),
                            seen);
                }
            } else if (BuiltType.is(raw)) {
                for (BuiltType.Attribute attribute : BuiltType.of(raw).attributes()) {
                    describe(attribute.type(), text.append(attribute.name()).append(' '), seen);
                }
            } else if (raw.isEnum()) {
                for (Object constant : raw.getEnumConstants()) {
                    text.append(((Enum<?>) constant).name()).append(' ');
                }
            }
        }
    }
}
