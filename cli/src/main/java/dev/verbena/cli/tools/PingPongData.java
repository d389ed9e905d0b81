// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The content of the messages. The original pingpongs fill each message with one constant byte. With option {@code -c},
 * each page of a message starts with a zero, and the server of an original pingpong checks the last message. With
 * option {@code -c}, a client of this library fills the rest of each page with bytes that depend on the message number
 * and the position, so that a stale or misplaced byte is detected.
 */
final class PingPongData {
    private static final int PAGE = 4096;
    private static final byte POISON = 0x55;
    private static final int BY_POSITION = 7;

    private static final int BY_NUMBER = 31;

    /**
     * The minimum value of a content byte; the maximum is 0xFA. If the first byte of a message is below the minimum or
     * above the maximum, Wireshark may interpret the message as Ethernet over InfiniBand.
     */
    private static final int FIRST_VALUE = 0xD0;

    /**
     * The number of different values of the message's bytes. BY_POSITION and BY_NUMBER are not multiples of this
     * number. Therefore a byte differs from its neighbours. A byte also differs from the same byte of the previous
     * message, unless it is the first byte of a page.
     */
    private static final int VALUES = 43;

    private final byte constant;
    private final boolean marked;

    /**
     * Creates the content of messages for a tool that fills its buffer with a {@code constant} byte. If {@code marked}
     * is true, each page of a message starts with a zero, as with option {@code -c}.
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
