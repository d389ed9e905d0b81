// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.memory.NativeMr;
import dev.verbena.ibverbs.struct.IbvSge;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The array of {@code struct ibv_sge} of one work request. */
public final class SgeList {
    private static final long MAX_ENTRY = 0xFFFFFFFFL;
    private static final long SIZE = IbvSge.LAYOUT.byteSize();

    private final Device device;
    private final MemorySegment raw;
    /** The memory region of each scatter/gather entry; null if the application specified the entry only by an lkey. */
    private final @Nullable NativeMr[] regions;
    /** The memory regions whose destruction {@link #holdForReading} prevents until {@link #release}. */
    private final @Nullable NativeMr[] held;
    /** The start of each SGE: its offset in the memory region, or its address if the program passed only an lkey. */
    private final long[] offsets;
    /** Whether this list has a single entry, which refers to inline data in the work request. */
    private boolean ownBytes;

    private int count;
    private boolean mayVanish;
    private long length;
    private PostRefusal defect = PostRefusal.NONE;

    SgeList(Device device, int max) {
        this.device = device;
        // `raw` has space for at least one SGE, so that it always has a memory address.
        raw = Arena.ofAuto().allocate(IbvSge.LAYOUT, Math.max(1, max));
        regions = new NativeMr[max];
        held = new NativeMr[max];
        offsets = new long[max];
    }

    MemorySegment raw() {
        return raw;
    }

    long firstAddress() {
        return raw.get(JAVA_LONG, IbvSge.ADDR);
    }

    int count() {
        return count;
    }

    long length() {
        return length;
    }

    PostRefusal defect() {
        return defect;
    }

    void clear() {
        count = 0;
        length = 0;
        mayVanish = false;
        ownBytes = false;
        defect = PostRefusal.NONE;
    }

    /** Returns whether each post must call {@link #isMemoryClosed}. */
    boolean mayVanish() {
        return mayVanish;
    }

    /** Returns whether the arena of a region's memory was closed. */
    boolean isMemoryClosed() {
        for (int i = 0; mayVanish && i < count; i++) {
            NativeMr region = regions[i];
            if (region != null && region.isMemoryClosed()) {
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("ReferenceEquality") // Devices are compared by identity, because equals() would allocate memory.
    void add(MemoryRegion region, long offset, long bytes) {
        if (!(region instanceof NativeMr own) || own.device() != device) {
            throw new IllegalArgumentException(
                    region + " is not a memory region of " + device + "; register the memory with this device");
        }
        Objects.checkFromIndexSize(offset, bytes, own.length());
        if (isRoomFor(bytes)) {
            regions[count] = own;
            mayVanish |= own.mayVanish();
            offsets[count] = offset;
            set(own.address() + offset, bytes, own.lkey());
        }
    }

    void add(long address, long bytes, int lkey) {
        if (isRoomFor(bytes)) {
            regions[count] = null;
            offsets[count] = address;
            set(address, bytes, lkey);
        }
    }

    /**
     * Returns whether the caller may add a scatter/gather entry of this length. If the array is full or the entry is too
     * long, this method also stores the reason (a {@link PostRefusal}). An entry of length 0 is not added, because some
     * RDMA adapters interpret the length 0 as 2 GiB.
     */
    private boolean isRoomFor(long bytes) {
        if (count == regions.length) {
            defect = PostRefusal.TOO_MANY_SGES;
            return false;
        }
        if (Long.compareUnsigned(bytes, MAX_ENTRY) > 0) {
            defect = PostRefusal.MESSAGE_TOO_LONG;
            return false;
        }
        return bytes > 0;
    }

    /** Replaces all scatter-gather entries with one entry for inline data, which needs no lkey. */
    void replace(MemorySegment bytes, long size) {
        clear();
        if (size > 0 && regions.length > 0) {
            ownBytes = true;
            set(bytes.address(), size, 0);
        }
    }

    private void set(long address, long bytes, int lkey) {
        long base = count * SIZE;
        raw.set(JAVA_LONG, base + IbvSge.ADDR, address);
        raw.set(JAVA_INT, base + IbvSge.LENGTH, (int) bytes);
        raw.set(JAVA_INT, base + IbvSge.LKEY, lkey);
        count++;
        length += bytes;
    }

    /**
     * Prepares the scatter/gather entries of an inline send or an atomic write. libibverbs, not the device, reads the
     * payload of such a work request, so libibverbs needs local virtual addresses. This method replaces the IOVA in each
     * scatter/gather entry by the local virtual address of the same byte, and returns {@code PostRefusal.NONE}. It prevents
     * the destruction of the memory regions until {@link #release}. If libibverbs cannot read the bytes of an entry, this
     * method returns the reason, and the memory regions can be destroyed.
     */
    PostRefusal holdForReading() {
        for (int i = 0; i < count && !ownBytes; i++) {
            long address = hold(i);
            if (address == 0) {
                release();
                return regions[i] == null ? PostRefusal.INLINE_KEY_UNKNOWN : PostRefusal.FOREIGN_OBJECT;
            }
            raw.set(JAVA_LONG, i * SIZE + IbvSge.ADDR, address);
        }
        return PostRefusal.NONE;
    }

    /**
     * Prevents the destruction of an entry's memory region. Returns the entry's local virtual address, or 0 if no
     * registered region contains the entry.
     */
    private long hold(int index) {
        NativeMr region = regions[index];
        boolean byKey = region == null;
        long base = index * SIZE;
        if (region == null) {
            region = NativeMr.open(device, raw.get(JAVA_INT, base + IbvSge.LKEY));
        }
        if (region == null || !region.handle().tryEnter()) {
            return 0;
        }
        held[index] = region;
        long offset = byKey ? offsets[index] - region.address() : offsets[index];
        long bytes = Integer.toUnsignedLong(raw.get(JAVA_INT, base + IbvSge.LENGTH));
        boolean covered =
                region.isMapped() && offset >= 0 && offset <= region.length() - bytes && !region.isMemoryClosed();
        return covered ? region.localAddress() + offset : 0;
    }

    void release() {
        for (int i = 0; i < count; i++) {
            NativeMr region = held[i];
            if (region != null) {
                held[i] = null;
                region.handle().exit();
            }
        }
    }
}
