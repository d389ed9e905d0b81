// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Collects the fields of one header. */
public final class HeaderFields<H extends Flyweight<H>> {
    private final String headerName;
    private final H header;
    private final List<HeaderField<?>> fields = new ArrayList<>();

    /** Starts with no fields. */
    public HeaderFields(H header) {
        this.headerName = header.getClass().getSimpleName();
        this.header = header;
    }

    /** Adds a number, at a bit of a byte counted from the most significant. */
    public HeaderFields<H> number(
            String name, int octet, int bit, int width, ToLongFunction<H> getter, BiConsumer<H, Long> setter) {
        fields.add(new HeaderField<>(headerName + "." + name, octet * 8 + bit, width, header, getter, setter));
        return this;
    }

    /** Adds a flag, at a bit of a byte counted from the most significant. */
    public HeaderFields<H> flag(String name, int octet, int bit, Predicate<H> getter, BiConsumer<H, Boolean> setter) {
        return number(
                name,
                octet,
                bit,
                1,
                view -> getter.test(view) ? 1 : 0,
                (view, value) -> setter.accept(view, (value & 1) != 0));
    }

    /** {@return the fields} */
    public List<HeaderField<?>> list() {
        return List.copyOf(fields);
    }
}
