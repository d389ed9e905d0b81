// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * The memory and the access rights of a memory window after a bind ({@code struct ibv_mw_bind_info}).
 *
 * @param region the memory region, which must be registered with MW_BIND in the window's protection domain
 * @param offset the offset in bytes from the start of the memory region to the start of the memory window
 * @param length the length of the window in bytes; 0 unbinds a type 1 window
 * @param access the access flags of the window, any of REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC; the software device
 *     also accepts FLUSH_GLOBAL, and ZERO_BASED for a type 2 window
 * @since 1.0
 */
public record MemoryWindowBinding(MemoryRegion region, long offset, long length, Set<AccessFlag> access) {
    /** Checks that offset and length are not negative, and copies the set of access flags. */
    public MemoryWindowBinding {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException("a window cannot start at offset " + offset + " with length " + length
                    + "; both must be 0 or more");
        }
        access = Set.copyOf(access);
    }
}
