// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The table of the fields in one class of messages. Each {@code field} method adds a field to the table and returns the field.
 * Each class of messages has one constant for each of its fields.
 */
final class FieldTable<M> {
    private final List<Field<? super M>> fields = new ArrayList<>();

    FieldTable() {}

    /** Creates a table that begins with the fields of the superclass. */
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
