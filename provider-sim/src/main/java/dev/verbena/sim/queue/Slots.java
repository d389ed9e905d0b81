// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.queue;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A byte array of WQEs or CQEs on the Java heap, because no RDMA adapter reads these entries. The entries are in an array
 * and not in a memory segment, because the bounds and liveness checks of a memory segment would take measurable time. The
 * byte order is native; offsets need no alignment.
 */
public final class Slots {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** A flyweight refers to this empty array before the first call of its method {@code wrap}. */
    public static final Slots NONE = new Slots(0);

    private final byte[] bytes;
    private final MemorySegment segment;

    /** Creates a zeroed array of {@code length} bytes. */
    public Slots(int length) {
        bytes = new byte[length];
        segment = MemorySegment.ofArray(bytes);
    }

    /** Creates a zeroed array for {@code count} entries of {@code size} bytes each. */
    public static Slots of(int count, int size) {
        return new Slots(Math.multiplyExact(count, size));
    }

    /** Returns the byte array as a memory segment, for inline data. Every call returns the same segment. */
    public MemorySegment segment() {
        return segment;
    }

    public int length() {
        return bytes.length;
    }

    public void copyFrom(Slots from, long fromOffset, long offset, long length) {
        System.arraycopy(from.bytes, (int) fromOffset, bytes, (int) offset, (int) length);
    }

    public byte getByte(long offset) {
        return bytes[(int) offset];
    }

    public void setByte(long offset, byte value) {
        bytes[(int) offset] = value;
    }

    public int getInt(long offset) {
        return (int) INT.get(bytes, (int) offset);
    }

    public void setInt(long offset, int value) {
        INT.set(bytes, (int) offset, value);
    }

    public long getLong(long offset) {
        return (long) LONG.get(bytes, (int) offset);
    }

    public void setLong(long offset, long value) {
        LONG.set(bytes, (int) offset, value);
    }
}
