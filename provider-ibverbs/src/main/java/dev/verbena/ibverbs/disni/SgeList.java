// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvSge;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Objects;

final class SgeList {
    private final DisniContext context;
    private final int max;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<DisniMr> regions = new ArrayList<>();
    private boolean hasKeys;
    private long length;
    private PostRefusal defect = PostRefusal.NONE;

    private record Piece(long address, int length, int lkey) {}

    SgeList(DisniContext context, int max) {
        this.context = context;
        this.max = max;
    }

    int count() {
        return pieces.size();
    }

    long length() {
        return length;
    }

    PostRefusal defect() {
        return regions.stream().anyMatch(DisniMr::isMemoryClosed) ? PostRefusal.MEMORY_CLOSED : defect;
    }

    void clear() {
        pieces.clear();
        regions.clear();
        hasKeys = false;
        length = 0;
        defect = PostRefusal.NONE;
    }

    void add(MemoryRegion region, long offset, long bytes) {
        if (!(region instanceof DisniMr own) || !own.context().isSameAs(context)) {
            throw new IllegalArgumentException(
                    region + " is not a memory region of " + context + "; register the memory with this device");
        }
        Objects.checkFromIndexSize(offset, bytes, own.length());
        if (pieces.size() == max) {
            defect = PostRefusal.TOO_MANY_SGES;
        } else if (bytes > 0) {
            // A scatter/gather entry of length 0 is omitted, because some RDMA adapters interpret the length 0 as 2
            // GiB. The length of a region of this provider always fits an int.
            pieces.add(new Piece(own.address() + offset, (int) bytes, own.lkey()));
            regions.add(own);
            length += bytes;
        }
    }

    void add(long address, long bytes, int lkey) {
        if (pieces.size() == max) {
            defect = PostRefusal.TOO_MANY_SGES;
        } else if (Long.compareUnsigned(bytes, DeviceFacts.MAX_LENGTH) > 0) {
            defect = PostRefusal.MESSAGE_TOO_LONG;
        } else if (bytes > 0) {
            pieces.add(new Piece(address, (int) bytes, lkey));
            hasKeys = true;
            length += bytes;
        }
    }

    /**
     * Returns whether at least one scatter/gather entry has only an lkey and no memory region, so that the memory of
     * the entry is unknown.
     */
    boolean hasKeys() {
        return hasKeys;
    }

    /**
     * Replaces all scatter/gather entries by one entry for {@code bytes}, which are memory of this process and need no
     * lkey.
     */
    void replace(MemorySegment bytes, long size) {
        clear();
        if (size > 0) {
            pieces.add(new Piece(bytes.address(), (int) size, 0));
            length = size;
        }
    }

    @SuppressWarnings({"NonApiType", "JdkObsolete"}) // DiSNI's `setSg_list` requires a `LinkedList`.
    LinkedList<IbvSge> toDisni() {
        LinkedList<IbvSge> list = new LinkedList<>();
        for (Piece piece : pieces) {
            IbvSge entry = new IbvSge();
            entry.setAddr(piece.address());
            entry.setLength(piece.length());
            entry.setLkey(piece.lkey());
            list.add(entry);
        }
        return list;
    }

    /** Delays the close of an inline send's memory regions until {@link #release}; returns false if one is closed. */
    boolean hold() {
        for (int i = 0; i < regions.size(); i++) {
            if (!regions.get(i).guard().tryEnter()) {
                regions.subList(0, i).forEach(region -> region.guard().exit());
                return false;
            }
        }
        return true;
    }

    void release() {
        regions.forEach(region -> region.guard().exit());
    }
}
