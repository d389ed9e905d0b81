// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * States whether a provider can work on this machine. If the provider cannot work, the {@code Availability} contains
 * the reason and the remedy.
 *
 * @since 1.0
 */
public sealed interface Availability {
    /** {@return whether the provider can be used on this machine} */
    default boolean isAvailable() {
        return this instanceof Available;
    }

    /**
     * The provider can work on this machine, but the machine possibly has no RDMA device.
     *
     * @param detail the component that was found, such as a library and its path
     * @since 1.0
     */
    record Available(String detail) implements Availability {}

    /**
     * The provider cannot work on this machine.
     *
     * @param reason the cause, such as a missing component and the paths that the provider searched
     * @param cure the remedy
     * @since 1.0
     */
    record Unavailable(String reason, String cure) implements Availability {}
}
