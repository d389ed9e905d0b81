// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.wire.mad.CmAttribute;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

public final class CmCounters {
    private final EnumMap<CmAttribute, Long> sent = new EnumMap<>(CmAttribute.class);
    private final EnumMap<CmAttribute, Long> retransmitted = new EnumMap<>(CmAttribute.class);
    private final EnumMap<CmAttribute, Long> received = new EnumMap<>(CmAttribute.class);
    private final EnumMap<CmAttribute, Long> duplicates = new EnumMap<>(CmAttribute.class);
    private long ignored;
    private long malformed;
    private long unmatched;
    private long backlogOverflows;

    void sent(CmAttribute message) {
        sent.merge(message, 1L, Long::sum);
    }

    void retransmitted(CmAttribute message) {
        retransmitted.merge(message, 1L, Long::sum);
    }

    void received(CmAttribute message) {
        received.merge(message, 1L, Long::sum);
    }

    void duplicate(CmAttribute message) {
        duplicates.merge(message, 1L, Long::sum);
    }

    void ignored() {
        ignored++;
    }

    void malformed() {
        malformed++;
    }

    void unmatched() {
        unmatched++;
    }

    void backlogOverflow() {
        backlogOverflows++;
    }

    public CmStatistics snapshot() {
        return new CmStatistics(
                copy(sent),
                copy(retransmitted),
                copy(received),
                copy(duplicates),
                ignored,
                malformed,
                unmatched,
                backlogOverflows);
    }

    private static Map<CmAttribute, Long> copy(EnumMap<CmAttribute, Long> counts) {
        EnumMap<CmAttribute, Long> all = new EnumMap<>(CmAttribute.class);
        for (CmAttribute message : CmAttribute.values()) {
            all.put(message, counts.getOrDefault(message, 0L));
        }
        return Collections.unmodifiableMap(all);
    }
}
