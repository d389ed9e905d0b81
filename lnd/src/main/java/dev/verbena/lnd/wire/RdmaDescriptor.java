// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

/**
 * The memory a peer is to write to, in the sender's byte order. Fragments are 12 bytes each, so addresses are misaligned.
 *
 * <pre>
 *    0  key 4                rkey of all fragments
 *    4  nfrags 4             1 to 257
 *    8  nfrags times         nob 4, addr 8
 * </pre>
 *
 * <p>Not thread-safe. Source: {@code struct kib_rdma_desc}.
 */
public final class RdmaDescriptor extends ByteOrderedView {

    /** Where the fragments start, which is the length of a descriptor without any. */
    public static final int FRAGMENTS = 8;

    /** Bytes of one fragment. */
    public static final int FRAGMENT_LENGTH = 12;

    private static final int KEY = 0;
    private static final int NFRAGS = 4;
    private static final int ADDRESS_IN_FRAGMENT = 4;

    RdmaDescriptor() {}

    /**
     * Bytes of a descriptor.
     *
     * @param fragments how many fragments it has
     * @return bytes
     */
    public static int length(int fragments) {
        return FRAGMENTS + fragments * FRAGMENT_LENGTH;
    }

    /** {@return the rkey that lets the peer write to the fragments} */
    public int key() {
        return i32(KEY);
    }

    /**
     * Sets the key.
     *
     * @param rkey the key that lets the peer write to the fragments
     * @return this
     */
    public RdmaDescriptor key(int rkey) {
        i32(KEY, rkey);
        return this;
    }

    /** {@return the number of fragments, signed as in the message; 1 to 257 in a valid message} */
    public int fragmentCount() {
        return i32(NFRAGS);
    }

    /**
     * Sets how many fragments there are.
     *
     * @param count 1 to 257
     * @return this
     */
    public RdmaDescriptor fragmentCount(int count) {
        i32(NFRAGS, count);
        return this;
    }

    /**
     * Bytes of one fragment.
     *
     * @param index 0 to {@link #fragmentCount()} - 1; not checked
     * @return bytes, an unsigned 32-bit number
     */
    public long fragmentLength(int index) {
        return Integer.toUnsignedLong(i32(fragment(index)));
    }

    /**
     * Where the peer's memory region has a fragment. Any 64 bits are legal, the top one included.
     *
     * @param index 0 to {@link #fragmentCount()} - 1; not checked
     * @return a remote address
     */
    public long fragmentAddress(int index) {
        return i64(fragment(index) + ADDRESS_IN_FRAGMENT);
    }

    /**
     * Sets one fragment.
     *
     * @param index 0 to {@link #fragmentCount()} - 1; not checked
     * @param length bytes
     * @param address where the memory region has it
     * @return this
     */
    public RdmaDescriptor fragment(int index, long length, long address) {
        i32(fragment(index), (int) length);
        i64(fragment(index) + ADDRESS_IN_FRAGMENT, address);
        return this;
    }

    /** {@return the bytes of all fragments together, a sum that cannot overflow with a valid count} */
    public long totalLength() {
        long total = 0;
        for (int i = 0; i < fragmentCount(); i++) {
            total += fragmentLength(i);
        }
        return total;
    }

    private static long fragment(int index) {
        return FRAGMENTS + (long) index * FRAGMENT_LENGTH;
    }

    @Override
    public String toString() {
        return "rkey 0x" + Integer.toHexString(key()) + " frags " + fragmentCount();
    }
}
