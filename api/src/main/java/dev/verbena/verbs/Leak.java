// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An object that is not yet closed, from the list that {@link VerbsProvider#leaks()} returns.
 *
 * @param kind the abbreviation of the object's type, such as {@code PD}, {@code MR}, {@code QP}
 * @param object the string that identifies the object, such as {@code MW 0x1a2b}
 * @param opened a throwable whose stack trace shows the call that opened the object; empty if the provider does not
 *     record stack traces
 * @since 1.0
 */
public record Leak(String kind, String object, Optional<Throwable> opened) {
    /**
     * Counts leaks by object type, in the order in which the types first occur.
     *
     * @param leaks the leaks
     * @return the counts as text, for example {@code 1 PD, 3 MR, 2 QP}; empty if the list is empty
     */
    public static String summary(List<Leak> leaks) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        leaks.forEach(leak -> counts.merge(leak.kind(), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return kind + ": " + object;
    }
}
