// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names and values of an object's attributes, for its {@code equals}, {@code hashCode} and {@code toString}. */
final class Components {
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    Components with(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Components components && values.equals(components.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
