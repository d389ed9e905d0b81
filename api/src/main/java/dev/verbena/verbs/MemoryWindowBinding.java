// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.Set;

/**
 * The memory and the access rights of a memory window after a bind ({@code struct ibv_mw_bind_info}).
 *
 * @param region the memory region, which must be registered with MW_BIND in the window's protection domain
 * @param offset the offset in bytes from the start of the memory region to the start of the memory window
 * @param length the length of the window in bytes; 0 unbinds the window
 * @param access the rights that the window grants, any of REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC
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
