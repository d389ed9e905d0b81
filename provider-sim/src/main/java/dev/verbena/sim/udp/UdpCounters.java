// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import java.util.concurrent.atomic.LongAdder;

/** The counters of one fabric. Any thread may count and read events. */
final class UdpCounters {
    private final LongAdder[] adders = new LongAdder[UdpCounter.values().length];

    UdpCounters() {
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new LongAdder();
        }
    }

    void count(UdpCounter counter) {
        adders[counter.ordinal()].increment();
    }

    void add(UdpCounter counter, long times) {
        adders[counter.ordinal()].add(times);
    }

    long get(UdpCounter counter) {
        return adders[counter.ordinal()].sum();
    }
}
