package dev.verbena.verbs;

/**
 * Whether a provider can work on this machine, and if not, why and what to do.
 *
 * @since 1.0
 */
public sealed interface Availability {
    /**
     * Tells whether the provider can work.
     *
     * @return true if devices can be listed
     */
    default boolean isAvailable() {
        return this instanceof Available;
    }

    /**
     * The provider can work; there may still be no device.
     *
     * @param detail what was found, such as a library and its path
     * @since 1.0
     */
    record Available(String detail) implements Availability {}

    /**
     * The provider cannot work here.
     *
     * @param reason what is missing and where it was looked for
     * @param cure what to do about it
     * @since 1.0
     */
    record Unavailable(String reason, String cure) implements Availability {}
}
