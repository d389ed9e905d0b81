// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** Mutated MADs. */
public final class MadMutations {
    private MadMutations() {}

    /** Changes up to eight bytes, rarely those that the engine checks first; may truncate the MAD. */
    public static MemorySegment of(MemorySegment mad, SplittableRandom random) {
        MemorySegment whole = MemorySegment.ofArray(bytes(mad, random));
        return random.nextInt(50) == 0 ? whole.asSlice(0, random.nextInt(MadHeader.MAD_LENGTH)) : whole;
    }

    /** Changes bytes likewise without truncation, because a packet for QP1 must have the right length. */
    public static byte[] bytes(MemorySegment mad, SplittableRandom random) {
        byte[] bytes = mad.toArray(ValueLayout.JAVA_BYTE);
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
