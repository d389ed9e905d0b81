// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A memory window: remote access to a part of a region, given and taken by work requests ({@code struct ibv_mw}).
 *
 * <p>May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_mw.3.html">ibv_alloc_mw(3)</a>
 * @since 1.0
 */
public interface MemoryWindow extends AutoCloseable {
    /**
     * Returns the domain the window belongs to.
     *
     * @return the protection domain
     */
    ProtectionDomain protectionDomain();

    /**
     * Returns the kind of window.
     *
     * @return type 1 (bound by {@link QueuePair#bindMemoryWindow}) or type 2 (bound by a posted request)
     */
    MemoryWindowType type();

    /**
     * Returns the window's present key.
     *
     * @return 32 bits, unsigned; changes with each bind: for type 1 when the bind is posted, for type 2 when it is executed
     */
    int rkey();

    /**
     * Deallocates the window ({@code ibv_dealloc_mw}); a bound window is unbound.
     *
     * @throws VerbsException when the device refuses
     */
    @Override
    void close() throws VerbsException;
}
