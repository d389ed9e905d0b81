// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The payload of the messages of a pingpong tool. The original pingpongs fill each message with one constant byte. With
 * option {@code -c}, each page of a message starts with a zero byte, and the server of libibverbs' pingpong checks the last
 * message. With option {@code -c}, a client of this library fills the rest of each page with values that depend on the
 * message number and the position. A check of each byte's value reveals a stale or misplaced byte.
 */
final class PingPongData {
    private static final int PAGE = 4096;
    private static final byte POISON = 0x55;
    private static final int BY_POSITION = 7;

    private static final int BY_NUMBER = 31;

    /**
     * The bytes of a message have the values 0xD0 to 0xFA; only the first byte of a page may be 0. If the first byte of a
     * message is below 0xD0 or above 0xFA, Wireshark may interpret it as Ethernet over InfiniBand.
     */
    private static final int FIRST_VALUE = 0xD0;

    /**
     * The number of nonzero values that a byte of a message may have. Because BY_POSITION is not a multiple of VALUES,
     * adjacent bytes of a message differ. Because BY_NUMBER is not a multiple of VALUES, consecutive messages differ in all
     * bytes except the first byte of each page.
     */
    private static final int VALUES = 43;

    private final byte constant;
    private final boolean marked;

    /**
     * Creates the message payload for a tool that fills its send buffer with the byte {@code constant}. If {@code marked}
     * is true, the first byte of each page of a message is 0, as with option {@code -c} of a pingpong.
     */
    PingPongData(int constant, boolean marked) {
        this.constant = (byte) constant;
        this.marked = marked;
    }

    private byte plain(long index) {
        return marked && index % PAGE == 0 ? 0 : constant;
    }

    private static byte numbered(long index, int number) {
        long mixed = index * BY_POSITION + (long) number * BY_NUMBER + (index >> Byte.SIZE);
        return index % PAGE == 0 ? 0 : (byte) (FIRST_VALUE + mixed % VALUES);
    }

    void fillPlain(MemorySegment message) {
        for (long i = 0; i < message.byteSize(); i++) {
            message.set(ValueLayout.JAVA_BYTE, i, plain(i));
        }
    }

    static void fillNumbered(MemorySegment message, int number) {
        for (long i = 0; i < message.byteSize(); i++) {
            message.set(ValueLayout.JAVA_BYTE, i, numbered(i, number));
        }
    }

    /** Overwrites the buffer, so that a later check does not mistake the previous message for a new one. */
    static void poison(MemorySegment message) {
        message.fill(POISON);
    }

    /** Returns the first page with a wrong byte, or -1 if all bytes of the message are correct. */
    static long wrongNumbered(MemorySegment message, int number) {
        for (long i = 0; i < message.byteSize(); i++) {
            if (message.get(ValueLayout.JAVA_BYTE, i) != numbered(i, number)) {
                return i / PAGE;
            }
        }
        return -1;
    }

    /**
     * Checks a message from a pingpong client of rdma-core that runs with option {@code -c}. Returns the number of the
     * first page with a wrong byte, or -1 if all bytes are correct.
     */
    long wrongPlain(MemorySegment message) {
        for (long i = 0; i < message.byteSize(); i++) {
            if (message.get(ValueLayout.JAVA_BYTE, i) != plain(i)) {
                return i / PAGE;
            }
        }
        return -1;
    }
}
