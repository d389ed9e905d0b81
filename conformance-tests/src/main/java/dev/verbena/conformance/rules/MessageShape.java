package dev.verbena.conformance.rules;

import dev.verbena.verbs.PathMtu;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;

/**
 * A message described by the packets it takes, so that its edges stay edges at any path MTU.
 *
 * @param pathMtu the most that a packet may carry
 * @param fullPackets packets that are filled to the edge
 * @param rest bytes more, or less if negative
 * @param offset where it begins in the memory of either side, so that nothing is aligned by luck
 */
public record MessageShape(PathMtu pathMtu, int fullPackets, int rest, int offset) {
    private static final int MOST_PACKETS = 9;
    private static final int MOST_OFFSET = 64;

    /** Bytes of memory that hold every shape. */
    public static final long MOST_BYTES = (long) PathMtu.MTU_4096.bytes() * (MOST_PACKETS + 1) + MOST_OFFSET;

    /**
     * Returns the length of the message.
     *
     * @return bytes, 0 or more
     */
    public int length() {
        return Math.max(0, fullPackets * pathMtu.bytes() + rest);
    }

    /** Shapes that lie on the edges of packets, next to them, or anywhere. */
    public static final class Any implements ArbitrarySupplier<MessageShape> {
        /** For jqwik. */
        public Any() {}

        @Override
        public Arbitrary<MessageShape> get() {
            Arbitrary<PathMtu> mtu = Arbitraries.of(PathMtu.class);
            Arbitrary<Integer> packets = Arbitraries.integers().between(0, MOST_PACKETS);
            Arbitrary<Integer> rest = Arbitraries.oneOf(
                    Arbitraries.integers().between(-1, 1),
                    Arbitraries.integers().between(0, PathMtu.MTU_256.bytes()));
            Arbitrary<Integer> offset = Arbitraries.integers().between(0, MOST_OFFSET);
            // Edges are among the samples anyway; jqwik's own would be all of them.
            return Combinators.combine(mtu, packets, rest, offset)
                    .as(MessageShape::new)
                    .withoutEdgeCases();
        }
    }
}
