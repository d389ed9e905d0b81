// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The shortest message of each type, with empty fields, from which new messages of the type are copied. */
final class Blank {

    private static final MemorySegment[] LITTLE_ENDIAN = all(false);
    private static final MemorySegment[] BIG_ENDIAN = all(true);

    private Blank() {}

    private static MemorySegment[] all(boolean bigEndian) {
        return Arrays.stream(MessageType.values())
                .map(type -> make(type, bigEndian))
                .toArray(MemorySegment[]::new);
    }

    private static MemorySegment make(MessageType type, boolean bigEndian) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[type.minimumLength()]);
        MessageHeader header = new MessageHeader();
        header.view(bytes, 0, bigEndian);
        header.magic(Protocol.MAGIC)
                .version(Protocol.VERSION_2)
                .typeCode(type.code())
                .length(type.minimumLength());
        return bytes;
    }

    static void write(MessageType type, boolean bigEndian, MemorySegment target, long offset) {
        MemorySegment blank = (bigEndian ? BIG_ENDIAN : LITTLE_ENDIAN)[type.ordinal()];
        MemorySegment.copy(blank, 0, target, offset, type.minimumLength());
    }
}
