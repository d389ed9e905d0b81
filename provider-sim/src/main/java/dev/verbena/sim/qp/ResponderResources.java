package dev.verbena.sim.qp;

import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;

/**
 * What a responder remembers of requests that may not be carried out twice, or whose answer is long: rxe's {@code resp_res}. A
 * ring as deep as the depth of READs and atomics; the newest takes the place of the oldest.
 */
final class ResponderResources {
    static final int NONE = -1;

    private int depth;
    private int next;
    private int count;
    private Opcode[] opcodes = new Opcode[0];
    private int[] firstPsns = new int[0];
    private int[] lastPsns = new int[0];
    private int[] keys = new int[0];
    private long[] addresses = new long[0];
    private long[] lengths = new long[0];
    private long[] operands = new long[0];
    private long[] results = new long[0];

    /** Forgets everything, and holds so many from now on. */
    void resize(int entries) {
        next = 0;
        count = 0;
        if (entries != depth) {
            depth = entries;
            opcodes = new Opcode[entries];
            firstPsns = new int[entries];
            lastPsns = new int[entries];
            keys = new int[entries];
            addresses = new long[entries];
            lengths = new long[entries];
            operands = new long[entries];
            results = new long[entries];
        }
    }

    int depth() {
        return depth;
    }

    /**
     * Remembers a request.
     *
     * @param operand the length of a READ; otherwise what a repetition must have in common with it beside key and address
     * @param result the answer, where it is not read from memory again
     */
    void add(Opcode opcode, int firstPsn, int lastPsn, int key, long address, long operand, long result) {
        opcodes[next] = opcode;
        firstPsns[next] = firstPsn;
        lastPsns[next] = lastPsn;
        keys[next] = key;
        addresses[next] = address;
        lengths[next] = opcode.isReadRequest() ? operand : 0;
        operands[next] = opcode.isReadRequest() ? 0 : operand;
        results[next] = result;
        next = next + 1 == depth ? 0 : next + 1;
        count = Math.min(count + 1, depth);
    }

    /** Finds the request that a repetition with this PSN belongs to, or {@link #NONE}. */
    int find(Opcode opcode, int psn, int key) {
        for (int i = 0; i < count; i++) {
            if (opcodes[i] == opcode
                    && keys[i] == key
                    && !Psn.isBefore(psn, firstPsns[i])
                    && !Psn.isAfter(psn, lastPsns[i])) {
                return i;
            }
        }
        return NONE;
    }

    /** Whether a repetition asks for the same eight bytes with the same operand. */
    boolean repeats(int index, long address, long operand) {
        return addresses[index] == address && operands[index] == operand;
    }

    /** Whether a range is inside of what a READ asked for. */
    boolean covers(int index, long address, long bytes) {
        long offset = address - addresses[index];
        return Long.compareUnsigned(offset, lengths[index]) <= 0 && bytes <= lengths[index] - offset;
    }

    int firstPsn(int index) {
        return firstPsns[index];
    }

    long result(int index) {
        return results[index];
    }

    /** From now on a READ is taken to have asked for what begins here, as Soft-RoCE does after a repetition. */
    void narrow(int index, long address) {
        addresses[index] = address;
    }
}
