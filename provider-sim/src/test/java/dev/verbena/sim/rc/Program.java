package dev.verbena.sim.rc;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.SendOpcode;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * What both sides of a connection post, and what the links do to it. Everything that happens follows from it.
 *
 * @param seed of the run
 * @param mtu the path MTU of both sides
 * @param psns the first PSN of each side
 * @param left what side 0 posts
 * @param right what side 1 posts
 * @param weather what the links do
 */
record Program(long seed, PathMtu mtu, List<Integer> psns, List<Op> left, List<Op> right, Weather weather) {
    private static final int MOST_OPS = 14;
    private static final int MOST_CUTS = 3;
    private static final int PERMILLE = 1000;
    private static final double WORST = 0.2;
    private static final double STORM = 0.7;

    /** Bytes that go inline at most. */
    static final int INLINE = 64;

    /** Where WRITEs go: so many bytes of the peer. */
    static final int TARGET = 1 << 17;

    /**
     * One work request.
     *
     * @param opcode SEND or RDMA WRITE, with or without immediate data
     * @param length bytes of the message
     * @param source permille of the source area where it begins
     * @param target permille of the target area where a WRITE goes
     * @param cuts permille of the message at which a new entry begins
     * @param receiveCuts the same for the receive that it meets
     * @param slack bytes of that receive beyond the message
     * @param receiveDelay how long after the one before it that receive is posted
     * @param signaled whether it completes visibly on success
     * @param inline whether it goes inline if it is short enough
     * @param solicited whether it asks for an announcement
     */
    record Op(
            SendOpcode opcode,
            int length,
            int source,
            int target,
            List<Integer> cuts,
            List<Integer> receiveCuts,
            int slack,
            Duration receiveDelay,
            boolean signaled,
            boolean inline,
            boolean solicited) {
        int packets(PathMtu mtu) {
            return Math.max(1, Math.ceilDiv(length, mtu.bytes()));
        }

        boolean goesInline() {
            return inline && length <= INLINE;
        }
    }

    /**
     * What the links do, each a probability.
     *
     * @param loss packets lost
     * @param duplication packets doubled
     * @param reordering packets delayed by 5 microseconds
     * @param corruption packets with an inverted bit
     */
    record Weather(double loss, double duplication, double reordering, double corruption) {
        FaultPlan plan() {
            return FaultPlan.builder()
                    .drop(new Probability(loss))
                    .duplicate(new Probability(duplication))
                    .reorder(new Probability(reordering), Duration.ofNanos(5000))
                    .corrupt(new Probability(corruption))
                    .build();
        }
    }

    List<Op> ops(int side) {
        return side == 0 ? left : right;
    }

    static Arbitrary<Program> all() {
        return Arbitraries.of(PathMtu.values()).flatMap(mtu -> {
            Arbitrary<List<Op>> ops = op(mtu).list().ofMaxSize(MOST_OPS);
            return Combinators.combine(Arbitraries.longs(), psn().list().ofSize(2), ops, ops, anyWeather())
                    .as((seed, psns, left, right, weather) -> new Program(seed, mtu, psns, left, right, weather));
        });
    }

    private static Arbitrary<Integer> psn() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(0xFFFFC0, 0xFFFFFF),
                Arbitraries.integers().between(0, 0xFFFFFF));
    }

    private static Arbitrary<Op> op(PathMtu mtu) {
        Arbitrary<SendOpcode> opcode = Arbitraries.of(
                SendOpcode.SEND,
                SendOpcode.SEND_WITH_IMMEDIATE,
                SendOpcode.RDMA_WRITE,
                SendOpcode.RDMA_WRITE_WITH_IMMEDIATE);
        Arbitrary<Integer> permille = Arbitraries.integers().between(0, PERMILLE);
        Arbitrary<List<Integer>> cuts = permille.list().ofMaxSize(MOST_CUTS);
        Arbitrary<Boolean> flag = Arbitraries.of(false, true);
        Arbitrary<List<Boolean>> flags = flag.list().ofSize(3);
        return Combinators.combine(opcode, length(mtu.bytes()), permille, permille, cuts, cuts, slack(), flags)
                .as((code, length, source, target, own, peer, slack, set) -> new Op(
                        code,
                        length,
                        source,
                        target,
                        own,
                        peer,
                        slack,
                        Duration.ofNanos(slack % 7 == 3 ? slack * 10_000L : 0),
                        set.get(0),
                        set.get(1),
                        set.get(2)));
    }

    private static Arbitrary<Integer> slack() {
        return Arbitraries.integers().between(0, 100);
    }

    private static Arbitrary<Integer> length(int mtu) {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        6,
                        Arbitraries.of(
                                0,
                                1,
                                INLINE,
                                mtu - 1,
                                mtu,
                                mtu + 1,
                                2 * mtu - 1,
                                2 * mtu,
                                2 * mtu + 1,
                                3 * mtu,
                                3 * mtu + 1)),
                Tuple.of(3, Arbitraries.integers().between(0, 4 * mtu)),
                // Longer than the window of unacknowledged packets.
                Tuple.of(1, Arbitraries.integers().between(0, Math.min(140 * mtu, 1 << 16))));
    }

    private static Arbitrary<Weather> anyWeather() {
        Arbitrary<Double> chance = Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(0.0)),
                Tuple.of(3, Arbitraries.doubles().between(0, WORST / 4)),
                Tuple.of(2, Arbitraries.doubles().between(0, WORST)));
        Arbitrary<Double> loss = Arbitraries.frequencyOf(
                Tuple.of(8, chance), Tuple.of(2, Arbitraries.doubles().between(WORST, STORM)));
        return Combinators.combine(loss, chance, chance, chance).as(Weather::new);
    }
}
