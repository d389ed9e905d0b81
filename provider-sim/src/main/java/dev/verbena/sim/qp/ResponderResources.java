// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.wire.Opcode;

/**
 * Stores the last READs, atomics, ATOMIC_WRITEs and FLUSHes of the peer, like rxe's {@code resp_res}. If a duplicate of a
 * stored request arrives, the responder executes the request again only if it is a READ. The ring of stored requests has
 * max_dest_rd_atomic entries; the newest request overwrites the oldest. A request is identified by the number of PSNs
 * before it on this connection ({@link ReceiveState#place()}), which unlike a PSN does not wrap.
 */
final class ResponderResources {
    static final int NONE = -1;

    private static final class Entry {
        private Opcode opcode = Opcode.RC_RDMA_READ_REQUEST;
        private long firstPlace;
        private int packets;
        private int key;
        private long address;
        private long length;
        private long operand;
        private long result;
    }

    private Entry[] entries = new Entry[0];
    private int next;
    private int count;

    void clear(int depth) {
        next = 0;
        count = 0;
        if (depth != entries.length) {
            entries = newEntries(depth);
        }
    }

    private static Entry[] newEntries(int depth) {
        Entry[] made = new Entry[depth];
        for (int i = 0; i < depth; i++) {
            made[i] = new Entry();
        }
        return made;
    }

    /**
     * Sets the maximum number of stored requests. The newest requests stay stored, because the peer may still send
     * duplicates of these requests.
     */
    void resize(int depth) {
        Entry[] resized = newEntries(depth);
        int kept = Math.min(count, depth);
        for (int i = 0; i < kept; i++) {
            resized[i] = entries[Math.floorMod(next - kept + i, entries.length)];
        }
        entries = resized;
        count = kept;
        next = kept == depth ? 0 : kept;
    }

    int depth() {
        return entries.length;
    }

    /**
     * Stores a request. For a READ, {@code operand} is the length. For an atomic, {@code operand} is the swap or add value;
     * a duplicate request with another value gets no response. For other requests, {@code operand} is 0. The parameter
     * {@code result} is the original value of an atomic.
     */
    void add(Opcode opcode, long firstPlace, int packets, int key, long address, long operand, long result) {
        Entry entry = entries[next];
        entry.opcode = opcode;
        entry.firstPlace = firstPlace;
        entry.packets = packets;
        entry.key = key;
        entry.address = address;
        entry.length = opcode.isReadRequest() ? operand : 0;
        entry.operand = opcode.isReadRequest() ? 0 : operand;
        entry.result = result;
        next = next + 1 == entries.length ? 0 : next + 1;
        count = Math.min(count + 1, entries.length);
    }

    /**
     * Returns the index of the stored request that includes the packet with {@code place} PSNs before it on this
     * connection, or {@link #NONE}.
     */
    int find(Opcode opcode, long place, int key) {
        for (int i = 0; i < count; i++) {
            Entry entry = entries[i];
            long index = place - entry.firstPlace;
            if (entry.opcode == opcode && entry.key == key && index >= 0 && index < entry.packets) {
                return i;
            }
        }
        return NONE;
    }

    boolean repeats(int index, long address, long operand) {
        return entries[index].address == address && entries[index].operand == operand;
    }

    boolean covers(int index, long address, long bytes) {
        Entry entry = entries[index];
        long offset = address - entry.address;
        return Long.compareUnsigned(offset, entry.length) <= 0 && bytes <= entry.length - offset;
    }

    long firstPlace(int index) {
        return entries[index].firstPlace;
    }

    long result(int index) {
        return entries[index].result;
    }

    /** Moves the start of a stored READ to {@code address}, as Soft-RoCE does when a duplicate of the READ arrives. */
    void narrow(int index, long address) {
        entries[index].address = address;
    }
}
