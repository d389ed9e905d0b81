// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Whether a provider can work on this machine; if not, the reason and the cure.
 *
 * @since 1.0
 */
public sealed interface Availability {
    /**
     * Returns whether the provider can work.
     *
     * @return true if devices can be listed
     */
    default boolean isAvailable() {
        return this instanceof Available;
    }

    /**
     * The provider can work; there may still be no device.
     *
     * @param detail the finding, such as a library and its path
     * @since 1.0
     */
    record Available(String detail) implements Availability {}

    /**
     * The provider cannot work here.
     *
     * @param reason the missing part and the searched places
     * @param cure the cure
     * @since 1.0
     */
    record Unavailable(String reason, String cure) implements Availability {}
}
