// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.verbs.Errno;

/**
 * The RDMA writes of one transfer: each has one remote address and a few local pieces. Reused from transfer to transfer.
 * Not thread-safe.
 *
 * <p>A write ends when it has as many pieces as one work request takes, when the sink's fragment is full, or when all bytes
 * are placed. Source: {@code kiblnd_init_rdma}, which forgets the last of these three.
 */
public final class WriteList {

    private static final int MAX_PIECES = 2 * Protocol.MAX_FRAGMENTS;

    private final long[] remoteAddresses = new long[Protocol.MAX_FRAGMENTS];
    private final int[] firstPieces = new int[Protocol.MAX_FRAGMENTS + 1];
    private final long[] pieceOffsets = new long[MAX_PIECES];
    private final long[] pieceLengths = new long[MAX_PIECES];
    private int writes;
    private int pieces;
    private int rkey;

    /** Creates an empty list. */
    public WriteList() {}

    /** Empties the list: the message has no data. */
    public void clear() {
        writes = 0;
        pieces = 0;
        firstPieces[0] = 0;
    }

    /**
     * Plans how to write local pieces into a peer's descriptor. On failure the list is empty.
     *
     * @param local the data to write
     * @param remote where to; read during this call only
     * @param bytes how many bytes to write
     * @param piecesPerWrite scatter-gather entries of one work request
     * @param maxWrites the most work requests
     * @return 0; {@code -EPROTO} if either side is shorter than the bytes; {@code -EMSGSIZE} if it takes too many
     *     requests
     */
    public int plan(FragmentList local, RdmaDescriptor remote, long bytes, int piecesPerWrite, int maxWrites) {
        clear();
        rkey = remote.key();
        int source = 0;
        int sink = 0;
        long sourceDone = 0;
        long sinkDone = 0;
        boolean open = false;
        for (long left = bytes; left > 0; ) {
            while (sink < remote.fragmentCount() && remote.fragmentLength(sink) == sinkDone) {
                sink++;
                sinkDone = 0;
                open = false;
            }
            if (source == local.count() || sink == remote.fragmentCount()) {
                return fail(Errno.EPROTO);
            }
            if (!open) {
                if (writes == Math.min(maxWrites, remoteAddresses.length)) {
                    return fail(Errno.EMSGSIZE);
                }
                remoteAddresses[writes++] = remote.fragmentAddress(sink) + sinkDone;
            }
            long room = Math.min(left, remote.fragmentLength(sink) - sinkDone);
            long step = Math.min(room, local.length(source) - sourceDone);
            addPiece(local.offset(source) + sourceDone, step);
            open = pieces - firstPieces[writes - 1] < piecesPerWrite;
            left -= step;
            sinkDone += step;
            sourceDone += step;
            if (sourceDone == local.length(source)) {
                source++;
                sourceDone = 0;
            }
        }
        return 0;
    }

    private int fail(Errno errno) {
        clear();
        return -errno.number();
    }

    /** Adds a piece to the last write; where the next write starts moves along. */
    private void addPiece(long offset, long length) {
        pieceOffsets[pieces] = offset;
        pieceLengths[pieces] = length;
        pieces++;
        firstPieces[writes] = pieces;
    }

    /** {@return the number of writes, 0 to 257} */
    public int writes() {
        return writes;
    }

    /** {@return the peer's key for all writes} */
    public int rkey() {
        return rkey;
    }

    /**
     * The target of a write.
     *
     * @param write 0 to {@link #writes()} - 1
     * @return the peer's address
     */
    public long remoteAddress(int write) {
        return remoteAddresses[write];
    }

    /**
     * The first piece of a write; those of the next one follow.
     *
     * @param write 0 to {@link #writes()}
     * @return index of a piece
     */
    public int firstPiece(int write) {
        return firstPieces[write];
    }

    /**
     * Where a piece starts in the local region.
     *
     * @param piece index of a piece
     * @return an offset
     */
    public long pieceOffset(int piece) {
        return pieceOffsets[piece];
    }

    /**
     * Bytes of a piece.
     *
     * @param piece index of a piece
     * @return 1 or more
     */
    public long pieceLength(int piece) {
        return pieceLengths[piece];
    }
}
