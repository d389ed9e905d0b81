package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.struct.IbvSge;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The {@code struct ibv_sge}s of one request. */
final class ScatterEntries {
    private static final long MAX_ENTRY = 0xFFFFFFFFL;
    private static final long SIZE = IbvSge.LAYOUT.byteSize();

    private final NativeDevice device;
    private final MemorySegment raw;
    private final @Nullable NativeMr[] regions;
    private final long[] offsets;
    private int count;
    private boolean mayVanish;
    private long length;
    private PostRefusal defect = PostRefusal.NONE;

    ScatterEntries(NativeDevice device, int max) {
        this.device = device;
        // One more than none, so that there is an address to point to.
        raw = Arena.ofAuto().allocate(IbvSge.LAYOUT, Math.max(1, max));
        regions = new NativeMr[max];
        offsets = new long[max];
    }

    MemorySegment raw() {
        return raw;
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
        defect = PostRefusal.NONE;
    }

    /** Whether {@link #isMemoryClosed} must be asked by each post. */
    boolean mayVanish() {
        return mayVanish;
    }

    /** Whether the arena of the memory of a region was closed. */
    boolean isMemoryClosed() {
        for (int i = 0; mayVanish && i < count; i++) {
            NativeMr region = regions[i];
            if (region != null && region.isMemoryClosed()) {
                return true;
            }
        }
        return false;
    }

    void add(MemoryRegion region, long offset, long bytes) {
        if (!(region instanceof NativeMr own) || own.protectionDomain().device() != device) {
            throw new IllegalArgumentException(
                    region + " is not a memory region of " + device + "; register the memory with this device");
        }
        Objects.checkFromIndexSize(offset, bytes, own.length());
        if (count == regions.length) {
            defect = PostRefusal.TOO_MANY_SGES;
        } else if (bytes > MAX_ENTRY) {
            defect = PostRefusal.MESSAGE_TOO_LONG;
        } else if (bytes > 0) {
            // An empty entry is left out: to some cards a length of 0 is 2 GiB.
            regions[count] = own;
            mayVanish |= own.mayVanish();
            offsets[count] = offset;
            set(own.address() + offset, bytes, own.lkey());
        }
    }

    /** Makes bytes of this process, which need no key, the whole list. */
    void replace(MemorySegment bytes, long size) {
        clear();
        if (size > 0 && regions.length > 0) {
            regions[0] = null;
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
     * Makes the entries ready to be read by the library itself, which inline sends are: their addresses become this process's,
     * and the regions cannot be closed until {@link #release}.
     *
     * @return false if a region is closed
     */
    boolean holdForReading() {
        for (int i = 0; i < count; i++) {
            NativeMr region = regions[i];
            if (region == null) {
                continue;
            }
            if (!region.handle().tryEnter()) {
                release(i);
                return false;
            }
            raw.set(JAVA_LONG, i * SIZE + IbvSge.ADDR, region.localAddress() + offsets[i]);
        }
        return true;
    }

    /** Ends {@link #holdForReading}. */
    void release() {
        release(count);
    }

    private void release(int held) {
        for (int i = 0; i < held; i++) {
            NativeMr region = regions[i];
            if (region != null) {
                region.handle().exit();
            }
        }
    }
}
