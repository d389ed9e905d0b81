// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

/**
 * A flyweight over the RDMA descriptor in a message. An RDMA descriptor lists the memory ranges to which the receiver of
 * the message must write. The fields have the byte order of the node that sent the message. The addresses are unaligned.
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

    /** The byte offset of the first fragment in an RDMA descriptor. A descriptor without fragments is 8 bytes long. */
    public static final int FRAGMENTS = 8;

    /** The length of one fragment of an RDMA descriptor, in bytes. */
    public static final int FRAGMENT_LENGTH = 12;

    private static final int KEY = 0;
    private static final int NFRAGS = 4;
    private static final int ADDRESS_IN_FRAGMENT = 4;

    RdmaDescriptor() {}

    /**
     * {@return the length of an RDMA descriptor in bytes}
     *
     * @param fragments the number of fragments
     */
    public static int length(int fragments) {
        return FRAGMENTS + fragments * FRAGMENT_LENGTH;
    }

    /** {@return the rkey of the fragments} */
    public int key() {
        return i32(KEY);
    }

    /**
     * {@return this object; this method sets the rkey of the fragments}
     *
     * @param rkey the rkey of the fragments
     */
    public RdmaDescriptor key(int rkey) {
        i32(KEY, rkey);
        return this;
    }

    /** {@return the number of fragments, a signed number in the message; 1 to 257 in a valid message} */
    public int fragmentCount() {
        return i32(NFRAGS);
    }

    /**
     * {@return this object; this method sets the number of fragments}
     *
     * @param count 1 to 257
     */
    public RdmaDescriptor fragmentCount(int count) {
        i32(NFRAGS, count);
        return this;
    }

    /**
     * {@return the length of one fragment in bytes, an unsigned 32-bit number}
     *
     * @param index the index of the fragment, 0 to {@link #fragmentCount()} - 1; not checked
     */
    public long fragmentLength(int index) {
        return Integer.toUnsignedLong(i32(fragment(index)));
    }

    /**
     * {@return the address by which the peer accesses one fragment; any 64 bits are valid}
     *
     * @param index the index of the fragment, 0 to {@link #fragmentCount()} - 1; not checked
     */
    public long fragmentAddress(int index) {
        return i64(fragment(index) + ADDRESS_IN_FRAGMENT);
    }

    /**
     * {@return this descriptor; this method sets the length and the address of one fragment}
     *
     * @param index the index of the fragment, 0 to {@link #fragmentCount()} - 1; not checked
     * @param length the length of the fragment in bytes
     * @param address the address by which the peer accesses the fragment
     */
    public RdmaDescriptor fragment(int index, long length, long address) {
        i32(fragment(index), (int) length);
        i64(fragment(index) + ADDRESS_IN_FRAGMENT, address);
        return this;
    }

    /** {@return the total length of all fragments in bytes; cannot overflow if the fragment count is valid} */
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
