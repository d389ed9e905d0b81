package dev.verbena.cli.tools;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What messages contain. The originals send one constant byte, and with {@code -c} a zero at the start of each page, which the
 * server looks for at the end. A client of ours that checks numbers its messages as well, so that a stale or misplaced byte
 * shows; the zeros stay where the original wants them.
 */
final class PingPongData {
    private static final int PAGE = 4096;
    private static final byte POISON = 0x55;
    /** A byte differs from its neighbours and from the same byte of the message before, as the number of values is prime. */
    private static final int BY_POSITION = 7;

    private static final int BY_NUMBER = 31;

    /** From 0xD0 to 0xFA: of other bytes Wireshark may guess that they are Ethernet over InfiniBand. */
    private static final int FIRST_VALUE = 0xD0;

    private static final int VALUES = 43;

    private final byte constant;
    private final boolean marked;

    /**
     * Makes the contents for a tool.
     *
     * @param constant what the original fills its buffer with
     * @param marked whether pages begin with a zero
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

    /** So that a message that did not arrive is not taken for the one before. */
    static void poison(MemorySegment message) {
        message.fill(POISON);
    }

    /** The first page with a byte that is not of the message of this number, or -1. */
    static long wrongNumbered(MemorySegment message, int number) {
        for (long i = 0; i < message.byteSize(); i++) {
            if (message.get(ValueLayout.JAVA_BYTE, i) != numbered(i, number)) {
                return i / PAGE;
            }
        }
        return -1;
    }

    /** The same for the contents of an original client that checks. */
    long wrongPlain(MemorySegment message) {
        for (long i = 0; i < message.byteSize(); i++) {
            if (message.get(ValueLayout.JAVA_BYTE, i) != plain(i)) {
                return i / PAGE;
            }
        }
        return -1;
    }
}
