// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Memory of work queue entries and completions. The memory is on the heap, because no device reads it. Accesses are
 * array accesses: with their number per request, the checks of a memory segment would be measurable. Native byte order;
 * offsets need no alignment.
 */
public final class Slots {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** No memory, for flyweights that point nowhere yet. */
    public static final Slots NONE = new Slots(0);

    private final byte[] bytes;
    private final MemorySegment segment;

    /**
     * Makes memory.
     *
     * @param length its bytes, all zero
     */
    public Slots(int length) {
        bytes = new byte[length];
        segment = MemorySegment.ofArray(bytes);
    }

    /**
     * Makes memory for entries, of a queue or of a batch to be posted.
     *
     * @param count the number of entries
     * @param size the bytes of an entry
     * @return zeroed memory
     */
    public static Slots of(int count, int size) {
        return new Slots(Math.multiplyExact(count, size));
    }

    /**
     * Returns the memory as a segment, for inline data.
     *
     * @return the same one every time
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Returns the size.
     *
     * @return bytes
     */
    public int length() {
        return bytes.length;
    }

    /**
     * Copies from other slots.
     *
     * @param from the slots to copy from
     * @param fromOffset the offset there
     * @param offset the offset here
     * @param length the number of bytes
     */
    public void copyFrom(Slots from, long fromOffset, long offset, long length) {
        System.arraycopy(from.bytes, (int) fromOffset, bytes, (int) offset, (int) length);
    }

    /**
     * Reads a byte.
     *
     * @param offset the offset
     * @return the value
     */
    public byte getByte(long offset) {
        return bytes[(int) offset];
    }

    /**
     * Writes a byte.
     *
     * @param offset the offset
     * @param value the value
     */
    public void setByte(long offset, byte value) {
        bytes[(int) offset] = value;
    }

    /**
     * Reads 32 bits.
     *
     * @param offset the offset
     * @return the value
     */
    public int getInt(long offset) {
        return (int) INT.get(bytes, (int) offset);
    }

    /**
     * Writes 32 bits.
     *
     * @param offset the offset
     * @param value the value
     */
    public void setInt(long offset, int value) {
        INT.set(bytes, (int) offset, value);
    }

    /**
     * Reads 64 bits.
     *
     * @param offset the offset
     * @return the value
     */
    public long getLong(long offset) {
        return (long) LONG.get(bytes, (int) offset);
    }

    /**
     * Writes 64 bits.
     *
     * @param offset the offset
     * @param value the value
     */
    public void setLong(long offset, long value) {
        LONG.set(bytes, (int) offset, value);
    }
}
