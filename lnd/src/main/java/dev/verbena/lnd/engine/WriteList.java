// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.verbs.Errno;

/**
 * The RDMA WRITEs of one RDMA transfer. Each RDMA WRITE has one remote address and one or more local scatter/gather entries
 * (SGEs). Not thread-safe.
 *
 * <p>When an RDMA WRITE has the maximum number of SGEs, or fills a fragment of the peer's memory, the next SGE begins a new
 * RDMA WRITE. Source: {@code kiblnd_init_rdma}.
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

    public WriteList() {}

    public void clear() {
        writes = 0;
        pieces = 0;
        firstPieces[0] = 0;
    }

    /**
     * Builds the list of RDMA WRITEs for the given number of bytes, from local memory ranges to the peer's fragments. If
     * this method fails, this {@code WriteList} contains no RDMA WRITE.
     *
     * @return 0; {@code -EPROTO} if {@code local} or the fragments of {@code remote} have fewer than {@code bytes}
     *     bytes; {@code -EMSGSIZE} if more than {@code maxWrites} RDMA WRITEs are needed
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

    /** Appends an SGE (a local memory range) to the last RDMA WRITE. The next RDMA WRITE begins after this SGE. */
    private void addPiece(long offset, long length) {
        pieceOffsets[pieces] = offset;
        pieceLengths[pieces] = length;
        pieces++;
        firstPieces[writes] = pieces;
    }

    public int writes() {
        return writes;
    }

    public int rkey() {
        return rkey;
    }

    public long remoteAddress(int write) {
        return remoteAddresses[write];
    }

    /**
     * Returns the index of the first scatter/gather entry of the given RDMA WRITE. If {@code write} equals {@link
     * #writes()}, no such RDMA WRITE exists, and this method returns the total number of scatter/gather entries.
     */
    public int firstPiece(int write) {
        return firstPieces[write];
    }

    public long pieceOffset(int piece) {
        return pieceOffsets[piece];
    }

    public long pieceLength(int piece) {
        return pieceLengths[piece];
    }
}
