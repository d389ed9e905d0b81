// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import java.util.Arrays;

/** The faults that netem applied to the hosts' packets before they were captured. */
enum NetemFaults {
    FAIR(""),
    LOSS("loss"),
    LNET_LOSS("lnet/loss"),
    REORDERING("reorder"),
    DUPLICATION("duplicate");

    private final String prefix;

    NetemFaults(String prefix) {
        this.prefix = prefix;
    }

    static NetemFaults of(String capture) {
        return Arrays.stream(values())
                .filter(weather -> weather != FAIR && capture.startsWith(weather.prefix))
                .findFirst()
                .orElse(FAIR);
    }

    boolean isBad() {
        return this != FAIR;
    }
}
