// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * A path to the destination of UD messages ({@code struct ibv_ah}). May be used from several threads.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_ah.3.html">ibv_create_ah(3)</a>
 * @since 1.0
 */
public interface AddressHandle extends AutoCloseable {
    /**
     * Returns the domain of this handle; sends through a queue pair of another domain fail.
     *
     * @return the protection domain
     */
    ProtectionDomain protectionDomain();

    /**
     * Returns the path.
     *
     * @return the vector from which the handle was made
     */
    AddressVector vector();

    /**
     * Destroys the handle ({@code ibv_destroy_ah}); messages already posted are not affected.
     *
     * @throws VerbsException when the device refuses
     */
    @Override
    void close() throws VerbsException;
}
