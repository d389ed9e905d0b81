// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import dev.verbena.wire.Flyweight;
import java.util.List;

/**
 * A flyweight over a structure in a MAD; a table lists the fields of the structure (see {@link Field}).
 *
 * @param <M> the subclass, which is also the return type of the setters
 */
public abstract class FieldView<M extends FieldView<M>> extends Flyweight<M> {
    private final FieldTable<M> table;

    FieldView(FieldTable<M> table) {
        this.table = table;
    }

    /** {@return all fields of this structure, in the order of the specification} */
    public final List<Field<? super M>> fields() {
        return table.fields();
    }

    /**
     * {@return the value of a field of up to 32 bits; unsigned if the field has fewer than 32 bits}
     *
     * @param field a field of this structure
     * @throws IllegalArgumentException if the field has more than 32 bits
     */
    public final int get(Field<? super M> field) {
        if (field.width() > Integer.SIZE) {
            throw new IllegalArgumentException(field.name() + " has more than 32 bits; read it by getLong");
        }
        return (int) getLong(field);
    }

    /**
     * {@return the value of a field; unsigned if the field has fewer than 64 bits}
     *
     * @param field a field of this structure
     */
    public final long getLong(Field<? super M> field) {
        return (octets(field) >>> field.shift()) & field.mask();
    }

    /**
     * {@return whether at least one bit of a field is set}
     *
     * @param flag a field of this structure
     */
    public final boolean is(Field<? super M> flag) {
        return getLong(flag) != 0;
    }

    /**
     * Writes the value of a field.
     *
     * @param field a field of this structure
     * @param value the value of the field; bits that do not fit the field are dropped
     * @return this
     */
    public final M set(Field<? super M> field, long value) {
        int shift = field.shift();
        long octets = (octets(field) & ~(field.mask() << shift)) | ((value & field.mask()) << shift);
        for (int i = field.octets() - 1; i >= 0; i--) {
            put8(field.octet() + i, (int) octets);
            octets >>>= Byte.SIZE;
        }
        return self();
    }

    /**
     * Writes a field of one bit.
     *
     * @param flag a field of this structure
     * @param value whether to set the bit
     * @return this
     */
    public final M set(Field<? super M> flag, boolean value) {
        return set(flag, value ? 1 : 0);
    }

    private long octets(Field<? super M> field) {
        long octets = 0;
        for (int i = 0; i < field.octets(); i++) {
            octets = (octets << Byte.SIZE) | get8(field.octet() + i);
        }
        return octets;
    }

    /** Appends the name and the value of each field. The values of fields with 16 bits or more are hexadecimal. */
    @Override
    protected void describe(StringBuilder out) {
        String separator = "";
        for (Field<? super M> field : fields()) {
            out.append(separator).append(field.name()).append('=');
            out.append(
                    field.width() < Short.SIZE
                            ? Long.toString(getLong(field))
                            : ("0x%0" + (field.width() + 3) / 4 + "x").formatted(getLong(field)));
            separator = " ";
        }
    }
}
