// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;

/**
 * A source of devices. {@link VerbsProviders} finds the installed providers; some providers can also be constructed directly.
 *
 * <p>{@link #name()} and the constructors of providers never load a native library and never throw. All methods are
 * thread-safe.
 *
 * @since 1.0
 */
public interface VerbsProvider extends AutoCloseable {
    /** {@return the name by which users select the provider, a short lower-case name such as {@code sim} or {@code ibverbs}} */
    String name();

    /**
     * {@return whether the provider can work on this host, and if not, the reason and the remedy; the result never changes}
     */
    Availability availability();

    /**
     * Lists the devices ({@code ibv_get_device_list}).
     *
     * @return the devices that exist at the time of the call; the list may be empty
     * @throws VerbsException if the provider is not available ({@code ENOSYS}, with the reason) or the system cannot list devices
     */
    List<DeviceInfo> devices() throws VerbsException;

    /**
     * Opens a device ({@code ibv_open_device}).
     *
     * @param deviceName a name from {@link #devices()}
     * @return the open device, which the caller must close
     * @throws VerbsException {@code ENODEV} if the device does not exist (the message lists the existing devices); {@code ENOSYS}
     *     if the provider is not available
     */
    Device open(String deviceName) throws VerbsException;

    /**
     * Returns an interface to a feature that only some providers have, such as {@link dev.verbena.cm.ConnectionManager}.
     *
     * @param <T> the type of the extension
     * @param type the extension's interface
     * @return the extension, or empty if this provider lacks it
     */
    <T extends ProviderExtension> Optional<T> extension(Class<T> type);

    /**
     * Returns the scheduler of the provider's devices. The scheduler has the clock and the timers of the devices, and
     * methods that wait for the devices, such as {@link VerbsRuntime#await}.
     *
     * @return the scheduler
     * @throws IllegalStateException if the provider cannot open devices on this host
     */
    VerbsRuntime runtime();

    /**
     * Lists the verbs objects (PDs, MRs, QPs ...) that the application has not yet closed, on all devices. If an
     * application calls this method after closing its objects, the list contains only verbs objects that the application
     * forgot to close.
     *
     * @return the verbs objects, parents before children; empty if all are closed, or if the provider does not record them
     */
    default List<Leak> leaks() {
        return List.of();
    }

    /**
     * Closes the provider's own resources, such as software devices and their threads. The verbs objects of a closed device
     * become unusable. Idempotent. If the provider uses hardware or kernel devices, {@code close} does nothing.
     */
    @Override
    default void close() {}
}
