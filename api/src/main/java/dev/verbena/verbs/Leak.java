// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An object that is open: see {@link VerbsProvider#leaks()}.
 *
 * @param kind the kind of object, as verbs name it: {@code PD}, {@code MR}, {@code QP}
 * @param object identifies the object
 * @param opened a throwable with the stack that opened it, where the provider keeps it
 * @since 1.0
 */
public record Leak(String kind, String object, Optional<Throwable> opened) {
    /**
     * Counts leaks by kind, in the order in which the kinds first occur.
     *
     * @param leaks the leaks
     * @return such as {@code 1 PD, 3 MR, 2 QP}; empty for none
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
