package dev.verbena.sim.cm;

import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Mutated MADs. */
final class MadMutations {
    private MadMutations() {}

    /** Changes up to eight bytes, rarely those that the engine checks first; may truncate the MAD. */
    static MemorySegment of(MemorySegment mad, SplittableRandom random) {
        MemorySegment whole = MemorySegment.ofArray(bytes(mad, random));
        return random.nextInt(50) == 0 ? whole.asSlice(0, random.nextInt(MadHeader.MAD_LENGTH)) : whole;
    }

    /** Changes bytes likewise without truncation, because a packet for QP1 must have the right length. */
    static byte[] bytes(MemorySegment mad, SplittableRandom random) {
        byte[] bytes = Negotiation.bytes(mad);
        int changes = random.nextInt(9);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(10) == 0
                    ? random.nextInt(MadHeader.LENGTH)
                    : 16 + random.nextInt(MadHeader.MAD_LENGTH - 16);
            bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ (1 << random.nextInt(8)));
        }
        return bytes;
    }
}
