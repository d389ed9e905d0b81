// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An open device ({@code struct ibv_context}), which creates all other objects.
 *
 * <p>To adapt to a device, a program should check {@link #capabilities()} and {@link #attributes()}, not the name of the
 * provider. A program gets the interface of an optional feature by {@link #extension(Class)}.
 *
 * <p>All methods are thread-safe. After {@link #close()} every method except {@link #name()} and {@code close} throws
 * {@link IllegalStateException}.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_open_device.3.html">ibv_open_device(3)</a>
 * @since 1.0
 */
public interface Device extends AutoCloseable {
    /** {@return the device's name as {@code ibv_devices} prints it, such as {@code mlx5_0} or {@code sim0}} */
    String name();

    /**
     * {@return the limits and identifiers of the device ({@code ibv_query_device}), which do not change during the life of
     * the device}
     */
    DeviceAttributes attributes();

    /**
     * Returns the device's capabilities. Even if a device reports a capability, a verb of the capability may fail with
     * {@code EOPNOTSUPP} in the driver. Only a call of the verb shows whether the driver supports the verb.
     *
     * @return an unmodifiable set of the device's capabilities; the capabilities do not change during the life of the
     *     device
     */
    Set<Capability> capabilities();

    /**
     * Throws an exception if this device lacks the given capability.
     *
     * @param capability the capability that the verb needs
     * @param verb the C name of the verb, for the message of the exception
     * @throws CapabilityException if {@link #capabilities()} lacks the capability
     */
    default void require(Capability capability, String verb) throws CapabilityException {
        if (!capabilities().contains(capability)) {
            throw new CapabilityException(capability, verb, name());
        }
    }

    /**
     * Returns the current value of the clock that timestamps completions ({@code ibv_query_rt_values_ex}, {@code
     * IBV_VALUES_MASK_RAW_CLOCK}). The method is too slow for the data path, because with some RDMA adapters (RNICs or
     * HCAs) the method makes a system call.
     *
     * @return the time in ticks of {@link DeviceAttributes#hcaCoreClock()}; only the bits of
     *     {@link DeviceAttributes#completionTimestampMask()} are valid
     * @throws VerbsException if the device's clock cannot be read; {@link CapabilityException} without
     *     {@link Capability#COMPLETION_TIMESTAMP}
     * @see WorkCompletion#timestamp()
     */
    default long queryHcaClock() throws VerbsException {
        throw new CapabilityException(Capability.COMPLETION_TIMESTAMP, "ibv_query_rt_values_ex", name());
    }

    /**
     * Returns the current state of a port ({@code ibv_query_port}).
     *
     * @param port the port, 1 to {@link DeviceAttributes#physicalPortCount()}
     * @return the port's attributes at the time of the call
     * @throws VerbsException {@code EINVAL} if the port does not exist; {@code ENODEV} if the device was removed
     */
    PortAttributes queryPort(int port) throws VerbsException;

    /**
     * Returns the used entries of a port's GID table.
     *
     * @param port the port, from 1
     * @return the used entries in the order of their index; entry 0 of a RoCE port is the link-local default GID
     * @throws VerbsException {@code EINVAL} if the port does not exist
     */
    List<GidEntry> gidTable(int port) throws VerbsException;

    /**
     * Returns one entry of a port's P_Key table ({@code ibv_query_pkey}).
     *
     * @param port the port, from 1
     * @param index the index of the entry, 0 to {@link PortAttributes#pkeyTableLength()} - 1
     * @return the 16-bit P_Key; bit 15 means full membership
     * @throws VerbsException {@code EINVAL} if the port or the entry does not exist
     */
    int queryPkey(int port, int index) throws VerbsException;

    /**
     * Allocates a protection domain ({@code ibv_alloc_pd}).
     *
     * @return a new protection domain, which the caller must close
     * @throws VerbsException {@code ENOMEM} if {@link DeviceAttributes#maxPd()} protection domains are in use
     */
    ProtectionDomain allocatePd() throws VerbsException;

    /**
     * {@return a new shared arena; any device can register memory of the arena. The caller must close the arena, after
     * closing all memory regions that cover memory of the arena}
     */
    VerbsArena newArena();

    /**
     * Creates a channel for the completion events of completion queues ({@code ibv_create_comp_channel}).
     *
     * @return a new channel; the caller must close the channel after the completion queues that use the channel
     * @throws VerbsException {@link CapabilityException} without {@link Capability#COMPLETION_CHANNEL}
     */
    CompletionChannel createCompletionChannel() throws VerbsException;

    /**
     * Creates a completion queue ({@code ibv_create_cq}).
     *
     * @param attributes the capacity, the completion vector, and the channel or handler of the queue
     * @return a new completion queue with at least the requested capacity
     * @throws VerbsException {@code EINVAL} if the capacity is not in 1..{@link DeviceAttributes#maxCqe()} or the completion
     *     vector is not below {@link DeviceAttributes#completionVectors()}; {@code ENOMEM} if the device has no free completion
     *     queue
     */
    CompletionQueue createCq(CqInitAttributes attributes) throws VerbsException;

    /**
     * {@return the channel that queues the asynchronous events of the device and of each object without an event handler
     * ({@code ibv_get_async_event}); the channel stays empty if the device lacks {@link Capability#ASYNC_EVENTS}}
     */
    AsyncEventChannel asyncEvents();

    /**
     * Returns this device's implementation of an optional interface, for a feature that only some devices have.
     *
     * @param <T> the type of the optional interface
     * @param type the optional interface, such as {@code FastRegistration.class}
     * @return the implementation of the optional interface, or empty if this device lacks the interface
     */
    <T extends DeviceExtension> Optional<T> extension(Class<T> type);

    /**
     * {@return the runtime, by which a program waits for the device and reads the clock; all devices of a provider have
     * the same runtime}
     */
    VerbsRuntime runtime();

    /**
     * Closes the device.
     *
     * @throws VerbsException {@code EBUSY} while objects of the device are not yet closed; the message lists the objects,
     *     and the device stays open
     */
    @Override
    void close() throws VerbsException;
}
