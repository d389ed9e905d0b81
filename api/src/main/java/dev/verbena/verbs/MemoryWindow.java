// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A memory window ({@code struct ibv_mw}), which covers a range of a memory region. Work requests grant and revoke remote
 * access to the memory of the window. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_mw.3.html">ibv_alloc_mw(3)</a>
 * @since 1.0
 */
public interface MemoryWindow extends AutoCloseable {
    /** {@return the protection domain of the window} */
    ProtectionDomain protectionDomain();

    /** {@return type 1 (bound by {@link QueuePair#bindMemoryWindow}) or type 2 (bound by a posted work request)} */
    MemoryWindowType type();

    /**
     * Returns the window's current R_Key. Each bind changes the R_Key of the window. The method returns the new R_Key of a
     * type 1 window as soon as the bind is posted. The software device returns the new R_Key of a type 2 window after the
     * bind was executed; the provider {@code ibverbs} returns it as soon as the bind is posted.
     *
     * @return 32 bits, unsigned
     */
    int rkey();

    /**
     * Deallocates the window ({@code ibv_dealloc_mw}) and unbinds it if necessary.
     *
     * @throws VerbsException if {@code ibv_dealloc_mw} fails
     */
    @Override
    void close() throws VerbsException;
}
