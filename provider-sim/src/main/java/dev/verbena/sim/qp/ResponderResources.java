package dev.verbena.sim.qp;

import dev.verbena.wire.Opcode;

/**
 * What a responder remembers of requests that may not be carried out twice, or whose answer is long: rxe's {@code resp_res}. A
 * ring as deep as the depth of READs and atomics; the newest takes the place of the oldest. A request is known by the
 * {@linkplain ReceiveState#place() place} of its packets, which no other request has, however often the PSN wraps.
 */
final class ResponderResources {
    static final int NONE = -1;

    /** A request; written over when the ring comes round. */
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

    /** Forgets everything, and holds so many from now on. */
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

    /** Holds so many from now on, the newest of those that there are among them: the peer may repeat any of them. */
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
     * Remembers a request.
     *
     * @param operand the length of a READ; otherwise what a repetition must have in common with it beside key and address
     * @param result the answer, where it is not read from memory again
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

    /** Finds the request that a repetition at this place belongs to, or {@link #NONE}. */
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

    /** Whether a repetition asks for the same eight bytes with the same operand. */
    boolean repeats(int index, long address, long operand) {
        return entries[index].address == address && entries[index].operand == operand;
    }

    /** Whether a range is inside of what a READ asked for. */
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

    /** From now on a READ is taken to have asked for what begins here, as Soft-RoCE does after a repetition. */
    void narrow(int index, long address) {
        entries[index].address = address;
    }
}
