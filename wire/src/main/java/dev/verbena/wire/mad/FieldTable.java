// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The fields of one class of MAD messages. Each method named {@code field} adds a field to this table and returns the
 * field. Each Java class of a MAD message has one constant for each field of the message.
 */
final class FieldTable<M> {
    private final List<Field<? super M>> fields = new ArrayList<>();

    FieldTable() {}

    /** Creates a field table that begins with the fields of {@code parent}, the table of a superclass. */
    FieldTable(FieldTable<? super M> parent) {
        fields.addAll(parent.fields);
    }

    /** Adds a field that begins with the first bit of a byte. */
    Field<M> field(String name, int octet, int width) {
        return field(name, octet, 0, width);
    }

    Field<M> field(String name, int octet, int bit, int width) {
        Field<M> field = new Field<>(name, octet, bit, width);
        fields.add(field);
        return field;
    }

    List<Field<? super M>> fields() {
        return Collections.unmodifiableList(fields);
    }
}
