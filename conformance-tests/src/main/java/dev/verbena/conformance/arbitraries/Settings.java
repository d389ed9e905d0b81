package dev.verbena.conformance.arbitraries;

import dev.verbena.conformance.side.Connection;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;

/** Settings of reliable connections that survive a few faults. */
public final class Settings implements ArbitrarySupplier<Connection> {
    private static final int PSN_MASK = 0xFF_FFFF;
    private static final int SHORT_TIMEOUT = 10;
    private static final int LONG_TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int MOST_READS = 4;

    /** For jqwik. */
    public Settings() {}

    @Override
    public Arbitrary<Connection> get() {
        Arbitrary<Integer> psn = Arbitraries.oneOf(
                Arbitraries.integers().between(0, PSN_MASK),
                Arbitraries.integers().between(0, 20).map(before -> PSN_MASK - before));
        return Combinators.combine(
                        Arbitraries.of(PathMtu.class),
                        psn,
                        psn,
                        Arbitraries.integers().between(SHORT_TIMEOUT, LONG_TIMEOUT),
                        Arbitraries.integers().between(1, 14),
                        Arbitraries.integers().between(1, MOST_READS))
                .as((mtu, first, second, timeout, timer, reads) -> Connection.usual()
                        .withMtu(mtu)
                        .withPsns(first, second)
                        .withRetries(AckTimeout.ofCode(timeout), RETRIES)
                        .withRnr(RnrRetryCount.FOREVER, RnrTimer.ofCode(timer))
                        .withReadDepth(reads));
    }
}
