package dev.verbena.sim.golden;

import java.util.Arrays;

/** What netem did to the packets that the hosts sent, before they were captured. */
enum Weather {
    FAIR(""),
    LOSS("loss"),
    LNET_LOSS("lnet/loss"),
    REORDERING("reorder"),
    DUPLICATION("duplicate");

    private final String prefix;

    Weather(String prefix) {
        this.prefix = prefix;
    }

    static Weather of(String capture) {
        return Arrays.stream(values())
                .filter(weather -> weather != FAIR && capture.startsWith(weather.prefix))
                .findFirst()
                .orElse(FAIR);
    }

    boolean isBad() {
        return this != FAIR;
    }
}
