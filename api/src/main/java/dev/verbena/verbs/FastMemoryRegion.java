package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** A region of {@link FastRegistration}. Mapping is for one thread at a time, while no request uses the region. */
public interface FastMemoryRegion extends MemoryRegion {
    /**
     * Says what the next REG_MR will cover ({@code ib_map_mr_sg}).
     *
     * <p>Without gaps every piece but the first must start on a page boundary and every piece but the last end on one.
     *
     * @param pieces memory from arenas of this device, in order
     * @param pageSize the size of a page in bytes, a power of two, at least 4096
     * @return how many pieces are covered: less than asked when the rule above or the number of pages ends the list
     * @throws VerbsException {@code EINVAL} for memory that may not be registered, or a bad page size
     */
    int map(List<MemorySegment> pieces, long pageSize) throws VerbsException;
}
