package dev.verbena.sim.rc;

import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.rc.Program.Op;
import dev.verbena.verbs.PathMtu;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the bytes of one direction come from and where they must go. A node's memory is: a source that nobody writes, the
 * target of the peer's WRITEs, and one buffer after the other for its messages.
 */
final class ModelMemory {
    /** Bytes of the source. */
    static final int SOURCE = 1 << 17;

    private static final int TARGET_START = SOURCE;
    private static final int BUFFERS_START = TARGET_START + Program.TARGET;
    private static final int PERMILLE = 1000;

    /** Bytes of a node. */
    static final int BYTES = BUFFERS_START + (1 << 20);

    /**
     * A piece of memory.
     *
     * @param offset where
     * @param length how many bytes
     */
    record Piece(int offset, int length) {}

    private final PathMtu mtu;
    private final List<Op> ops;
    private final int[] buffers;
    private final byte[] source;
    private final byte[] image;

    /** The memory of a receiver to which these requests are sent, before the first of them. */
    ModelMemory(PathMtu mtu, List<Op> ops, byte[] source, byte[] image) {
        this.mtu = mtu;
        this.ops = ops;
        this.source = source;
        this.image = image;
        buffers = new int[ops.size() + 1];
        buffers[0] = BUFFERS_START;
        for (int i = 0; i < ops.size(); i++) {
            buffers[i + 1] = buffers[i] + ops.get(i).length() + ops.get(i).slack();
        }
    }

    static byte[] snapshot(Node node) {
        return node.bytes(0, BYTES);
    }

    private static int share(int permille, int whole) {
        return (int) ((long) permille * whole / PERMILLE);
    }

    private static List<Piece> cut(int offset, int length, List<Integer> cuts) {
        List<Integer> ends = new ArrayList<>(
                cuts.stream().sorted().map(permille -> share(permille, length)).toList());
        ends.add(length);
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        for (int end : ends) {
            pieces.add(new Piece(offset + from, end - from));
            from = end;
        }
        return pieces;
    }

    /** The entries of a request. */
    List<Piece> sourceOf(int index) {
        Op op = ops.get(index);
        return cut(sourceStart(op), op.length(), op.cuts());
    }

    private static int sourceStart(Op op) {
        return share(op.source(), SOURCE - op.length());
    }

    /** The entries of the receive that a request meets. */
    List<Piece> bufferOf(int index) {
        Op op = ops.get(index);
        return cut(buffers[index], buffers[index + 1] - buffers[index], op.receiveCuts());
    }

    /** Where a WRITE goes in the receiver's memory. */
    int targetOf(int index) {
        Op op = ops.get(index);
        return TARGET_START + share(op.target(), Program.TARGET - op.length());
    }

    /** Does what one packet of a request does. */
    void apply(int index, int packet) {
        Op op = ops.get(index);
        int from = packet * mtu.bytes();
        int length = Math.min(mtu.bytes(), op.length() - from);
        int to = op.opcode().isSend() ? buffers[index] : targetOf(index);
        System.arraycopy(source, sourceStart(op) + from, image, to + from, length);
    }

    /** Does what a whole request does. */
    void apply(int index) {
        for (int packet = 0; packet < ops.get(index).packets(mtu); packet++) {
            apply(index, packet);
        }
    }

    byte[] image() {
        return image;
    }
}
