// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An open device: {@code struct ibv_context}, the scope of every other object.
 *
 * <p>A caller decides by {@link #capabilities()} and {@link #attributes()}, never by the provider's name. A feature
 * that only some devices have is an {@linkplain #extension(Class) extension}.
 *
 * <p>All methods may be called from several threads. After {@link #close()} every method except {@link #name()} and
 * {@code close} throws {@link IllegalStateException}.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_open_device.3.html">ibv_open_device(3)</a>
 * @since 1.0
 */
public interface Device extends AutoCloseable {
    /**
     * Returns the device's name as {@code ibv_devices} prints it.
     *
     * @return the name, such as {@code mlx5_0} or {@code sim0}
     */
    String name();

    /**
     * Returns the limits and identity of the device ({@code ibv_query_device}).
     *
     * @return the attributes, the same for the life of the device
     */
    DeviceAttributes attributes();

    /**
     * Returns the device's capabilities. A driver may still refuse a single use of one with {@code EOPNOTSUPP}, which
     * only trying shows.
     *
     * @return an unmodifiable set, the same for the life of the device
     */
    Set<Capability> capabilities();

    /**
     * Refuses an operation that the device does not have.
     *
     * @param capability the capability that the operation needs
     * @param verb the verb in its C spelling, for the message
     * @throws CapabilityException if {@link #capabilities()} lacks it
     */
    default void require(Capability capability, String verb) throws CapabilityException {
        if (!capabilities().contains(capability)) {
            throw new CapabilityException(capability, verb, name());
        }
    }

    /**
     * Returns the present value of the clock that stamps completions ({@code ibv_query_rt_values_ex}, {@code
     * IBV_VALUES_MASK_RAW_CLOCK}). A control call: on some cards it is a system call.
     *
     * @return ticks of {@link DeviceAttributes#hcaCoreClock()}, as wide as {@link DeviceAttributes#completionTimestampMask()}
     * @throws VerbsException if the device cannot be read; {@link CapabilityException} without {@link Capability#COMPLETION_TIMESTAMP}
     * @see WorkCompletion#timestamp()
     */
    default long queryHcaClock() throws VerbsException {
        throw new CapabilityException(Capability.COMPLETION_TIMESTAMP, "ibv_query_rt_values_ex", name());
    }

    /**
     * Returns the present state of a port ({@code ibv_query_port}).
     *
     * @param port the port, 1 to {@link DeviceAttributes#physicalPortCount()}
     * @return the port's attributes at this moment
     * @throws VerbsException {@code EINVAL} if there is no such port; {@code ENODEV} if the device went away
     */
    PortAttributes queryPort(int port) throws VerbsException;

    /**
     * Returns the entries of a port's GID table that are in use.
     *
     * @param port the port, from 1
     * @return the entries in the order of their index; on a RoCE port index 0 is the link-local default GID
     * @throws VerbsException {@code EINVAL} if there is no such port
     */
    List<GidEntry> gidTable(int port) throws VerbsException;

    /**
     * Returns one entry of a port's P_Key table ({@code ibv_query_pkey}).
     *
     * @param port the port, from 1
     * @param index the entry, 0 to {@link PortAttributes#pkeyTableLength()} - 1
     * @return the 16-bit P_Key; bit 15 is full membership
     * @throws VerbsException {@code EINVAL} if there is no such port or entry
     */
    int queryPkey(int port, int index) throws VerbsException;

    /**
     * Allocates a protection domain ({@code ibv_alloc_pd}).
     *
     * @return a new domain, to be closed by the caller
     * @throws VerbsException {@code ENOMEM} when {@link DeviceAttributes#maxPd()} are in use
     */
    ProtectionDomain allocatePd() throws VerbsException;

    /**
     * Makes an arena whose memory may be registered with this device.
     *
     * @return a new shared arena, to be closed by the caller after the regions that cover it
     */
    VerbsArena newArena();

    /**
     * Makes a channel on which completion queues announce completions ({@code ibv_create_comp_channel}).
     *
     * @return a new channel, to be closed after the queues that use it
     * @throws VerbsException {@link CapabilityException} without {@link Capability#COMPLETION_CHANNEL}
     */
    CompletionChannel createCompletionChannel() throws VerbsException;

    /**
     * Creates a completion queue ({@code ibv_create_cq}).
     *
     * @param attributes its size, completion vector, and how completions are announced
     * @return a new queue with at least the requested capacity
     * @throws VerbsException {@code EINVAL} when the size is not in 1..{@link DeviceAttributes#maxCqe()} or the
     *     completion vector not below {@link DeviceAttributes#completionVectors()}; {@code ENOMEM} when none is left
     */
    CompletionQueue createCq(CqInitAttributes attributes) throws VerbsException;

    /**
     * Returns the asynchronous events of the device and of the objects that have no event handler of their own.
     *
     * @return the device's one event queue ({@code ibv_get_async_event}); without {@link Capability#ASYNC_EVENTS} it stays
     *     empty
     */
    AsyncEventChannel asyncEvents();

    /**
     * Returns a feature that only some devices have.
     *
     * @param <T> the extension
     * @param type the extension's interface, such as {@code FastRegistration.class}
     * @return the extension, or empty when this device lacks it
     */
    <T extends DeviceExtension> Optional<T> extension(Class<T> type);

    /**
     * Returns the runtime by which programs wait for the device and read its clock.
     *
     * @return the runtime that this device shares with its provider
     */
    VerbsRuntime runtime();

    /**
     * Closes the device.
     *
     * @throws VerbsException {@code EBUSY} while objects made from it are open; the message lists them, and nothing is closed
     */
    @Override
    void close() throws VerbsException;
}
