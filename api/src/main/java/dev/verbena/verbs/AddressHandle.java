// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * An address handle ({@code struct ibv_ah}), which holds the address vector of UD messages. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_ah.3.html">ibv_create_ah(3)</a>
 * @since 1.0
 */
public interface AddressHandle extends AutoCloseable {
    /**
     * {@return the protection domain of this address handle; a UD send with this address handle fails on a queue pair
     * of another protection domain}
     */
    ProtectionDomain protectionDomain();

    /** {@return the address vector from which the handle was created} */
    AddressVector vector();

    /**
     * Destroys the handle ({@code ibv_destroy_ah}). Destroying the address handle does not affect posted send requests.
     *
     * @throws VerbsException if {@code ibv_destroy_ah} fails
     */
    @Override
    void close() throws VerbsException;
}
