// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventChannel;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device without GIDs, completion channels, asynchronous events and optional interfaces ({@link DeviceExtension}). The
 * P_Key table has only the default partition. Subclasses must check whether the device is open. Thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractDevice implements Device {
    /** The P_Key of full membership in the default partition (IBTA volume 1, 10.9.1.2). */
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final String name;
    private final DeviceAttributes attributes;
    private final Set<Capability> capabilities;
    private final VerbsRuntime runtime;
    private final AsyncEventChannel events = new NoEvents();

    /**
     * Creates a device.
     *
     * @param name the name by which the application opened the device
     * @param attributes the limits, GUIDs, vendor ID and versions of the device
     * @param capabilities the capabilities of the device
     * @param runtime the provider's scheduler, which has the clock, the timers and the tasks
     */
    protected AbstractDevice(
            String name, DeviceAttributes attributes, Set<Capability> capabilities, VerbsRuntime runtime) {
        this.name = name;
        this.attributes = attributes;
        this.capabilities = Set.copyOf(capabilities);
        this.runtime = runtime;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public VerbsRuntime runtime() {
        return runtime;
    }

    @Override
    public List<GidEntry> gidTable(int port) throws VerbsException {
        throw new CapabilityException(Capability.GLOBAL_ROUTING, "ibv_query_gid_table", name());
    }

    @Override
    public int queryPkey(int port, int index) throws VerbsException {
        if (port < 1 || port > attributes().physicalPortCount() || index != 0) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "ibv_query_pkey",
                    "port " + port + ", entry " + index + " of device " + name() + "; it has ports 1 to "
                            + attributes().physicalPortCount() + " with entry 0 alone");
        }
        return DEFAULT_PKEY;
    }

    @Override
    public VerbsArena newArena() {
        return new ProviderArena(name(), attributes().systemPageSize(), closed -> {});
    }

    @Override
    public CompletionChannel createCompletionChannel() throws VerbsException {
        throw new CapabilityException(Capability.COMPLETION_CHANNEL, "ibv_create_comp_channel", name());
    }

    @Override
    public AsyncEventChannel asyncEvents() {
        return events;
    }

    @Override
    public <T extends DeviceExtension> Optional<T> extension(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "device " + name;
    }

    /** The event channel of a device without {@link Capability#ASYNC_EVENTS}. */
    private final class NoEvents implements AsyncEventChannel {
        @Override
        public Optional<AsyncEvent> poll() {
            return Optional.empty();
        }

        @Override
        public Optional<AsyncEvent> await(Duration timeout) throws InterruptedException {
            runtime().await(() -> false, timeout);
            return Optional.empty();
        }

        @Override
        public void setHandler(@Nullable AsyncEventHandler handler) {
            // The device has no asynchronous events, so it never calls an `AsyncEventHandler`.
        }
    }
}
