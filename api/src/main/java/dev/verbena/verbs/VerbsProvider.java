// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;

/**
 * A source of devices. Found by {@link VerbsProviders}, or made by hand where a provider offers that.
 *
 * <p>Constructing a provider and reading its name never loads a native library and never throws. All methods may be
 * called from several threads.
 *
 * @since 1.0
 */
public interface VerbsProvider extends AutoCloseable {
    /**
     * Returns the name by which users choose the provider.
     *
     * @return a short lower-case name such as {@code sim} or {@code ibverbs}
     */
    String name();

    /**
     * Returns whether the provider can work here. The answer is found once and kept.
     *
     * @return that it is available, or the reason why not and the cure
     */
    Availability availability();

    /**
     * Lists the devices ({@code ibv_get_device_list}).
     *
     * @return the devices at this moment, perhaps none
     * @throws VerbsException if the provider is not available ({@code ENOSYS}, with the reason) or the system refuses
     */
    List<DeviceInfo> devices() throws VerbsException;

    /**
     * Opens a device ({@code ibv_open_device}).
     *
     * @param deviceName a name that {@link #devices()} lists
     * @return the open device, to be closed by the caller
     * @throws VerbsException {@code ENODEV} if there is no such device (the message lists those there are); {@code ENOSYS} if
     *     the provider is not available
     */
    Device open(String deviceName) throws VerbsException;

    /**
     * Returns something that only some providers have, such as {@link dev.verbena.cm.ConnectionManager}.
     *
     * @param <T> the extension
     * @param type the extension's interface
     * @return the extension, or empty when this provider lacks it
     */
    <T extends ProviderExtension> Optional<T> extension(Class<T> type);

    /**
     * Returns the time the provider's devices live in and the way to wait for them.
     *
     * @return the runtime
     * @throws IllegalStateException if the provider cannot open devices here, so that there is nothing to wait for
     */
    VerbsRuntime runtime();

    /**
     * Lists the open objects of all devices: after a program has closed its objects, those that it forgot.
     *
     * @return objects, parents before children; empty if nothing is open, or if the provider keeps no account
     */
    default List<Leak> leaks() {
        return List.of();
    }

    /**
     * Ends the provider's own objects, such as software devices and their threads. Idempotent. Objects that are open on
     * its devices cannot be used any more. A provider of the machine's devices holds nothing of its own.
     */
    @Override
    default void close() {}
}
