// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.lifecycle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The verbs objects of all types, open or closed, that all threads of {@link RandomLifecycles} share. */
final class Pool {
    private final int most;
    private final Map<Class<?>, List<AutoCloseable>> byType = new LinkedHashMap<>();

    /** The verbs objects whose close failed. An object in {@code retired} is no longer in {@code byType}. */
    private final List<AutoCloseable> retired = new ArrayList<>();

    Pool(int most) {
        this.most = most;
    }

    /**
     * Adds an object to the pool. If the pool has more than {@code most} objects of this type after the addition, removes
     * and returns an older one. The caller must close an object that {@code add} returns, or pass it to {@link #retire}.
     */
    synchronized <T extends AutoCloseable> Optional<AutoCloseable> add(
            Class<T> type, T object, SplittableRandom random) {
        List<AutoCloseable> those = byType.computeIfAbsent(type, _ -> new ArrayList<>());
        those.add(object);
        return those.size() <= most ? Optional.empty() : Optional.of(those.remove(random.nextInt(those.size() - 1)));
    }

    synchronized void retire(AutoCloseable object) {
        retired.add(object);
    }

    /** Removes and returns an object whose close failed. */
    synchronized Optional<AutoCloseable> anyRetired(SplittableRandom random) {
        return retired.isEmpty() ? Optional.empty() : Optional.of(retired.remove(random.nextInt(retired.size())));
    }

    /** Returns whether the pool contains more than {@code 10 * most} objects whose close failed. */
    synchronized boolean isFull() {
        return retired.size() > 10 * most;
    }

    synchronized <T> Optional<T> any(Class<T> type, SplittableRandom random) {
        List<AutoCloseable> those = byType.getOrDefault(type, List.of());
        return those.isEmpty() ? Optional.empty() : Optional.of(type.cast(those.get(random.nextInt(those.size()))));
    }

    synchronized List<AutoCloseable> all() {
        return Stream.concat(byType.values().stream().flatMap(List::stream), retired.stream())
                .toList();
    }
}
