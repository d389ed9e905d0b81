// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.sim.cm.SimConnectionManager;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.device.SimDevice;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Software devices on one {@link Fabric} and one {@link SimRuntime}. This class is thread-safe.
 *
 * <p>Wrappers of the fabric inject faults and capture packets. {@link DefaultSimProvider} is the preconfigured provider
 * that {@link dev.verbena.verbs.VerbsProviders} finds.
 */
public final class SimProvider implements VerbsProvider {
    /** The upper 32 bits of the devices' GUIDs, with the locally administered bit set. */
    private static final long GUID_PREFIX = 0x0256_FFFE_0000_0000L;

    private static final System.Logger LOGGER = System.getLogger(SimProvider.class.getName());

    private final SimRuntime runtime;
    private final Fabric fabric;
    private final Map<String, SimDevice> devices = Collections.synchronizedMap(new LinkedHashMap<>());
    /** Unplugged devices. {@link #goneWithOpenObjects} removes each device whose verbs objects are all closed. */
    private final List<SimDevice> gone = new CopyOnWriteArrayList<>();

    private final SimConnectionManager connections;
    private final LeakDetection leakDetection;
    private boolean closed;

    /**
     * Creates the devices and attaches them to the fabric. The level of leak detection is {@link LeakDetection#COUNTED}.
     *
     * @param runtime the clock, the tasks and the timers of the devices
     * @param fabric the fabric that transmits the packets of the devices
     * @param wanted the devices; every name and every address must occur only once
     * @throws VerbsException {@code EADDRINUSE} if an address is already in use on the fabric; {@code EEXIST} if two devices
     *     have the same name
     */
    public SimProvider(SimRuntime runtime, Fabric fabric, List<SimDeviceSpec> wanted) throws VerbsException {
        this(runtime, fabric, wanted, LeakDetection.COUNTED);
    }

    /**
     * Creates the devices and attaches them to the fabric.
     *
     * @param runtime the clock, the tasks and the timers of the devices
     * @param fabric the fabric that transmits the packets of the devices
     * @param wanted the devices; every name and every address must occur only once
     * @param leakDetection selects whether and how the provider reports objects that the application did not close
     * @throws VerbsException {@code EADDRINUSE} if an address is already in use on the fabric; {@code EEXIST} if two devices
     *     have the same name
     */
    public SimProvider(SimRuntime runtime, Fabric fabric, List<SimDeviceSpec> wanted, LeakDetection leakDetection)
            throws VerbsException {
        this.runtime = runtime;
        this.fabric = fabric;
        this.leakDetection = leakDetection;
        try {
            for (SimDeviceSpec spec : wanted) {
                add(spec);
            }
            connections = new SimConnectionManager(runtime, () -> List.copyOf(present()));
        } catch (VerbsException | RuntimeException | Error failed) {
            devices.values().forEach(SimDevice::close);
            throw failed;
        }
    }

    private void add(SimDeviceSpec spec) throws VerbsException {
        if (devices.containsKey(spec.name())) {
            throw new VerbsException(
                    Errno.EEXIST, "SimProvider", "two devices are called " + spec.name() + "; give each its own name");
        }
        Guid guid = guidOf(spec.addresses().getFirst());
        devices.put(
                spec.name(),
                new SimDevice(
                        spec.name(), spec.profile().withGuid(guid), spec.addresses(), runtime, fabric, leakDetection));
    }

    private List<SimDevice> present() {
        synchronized (devices) {
            return List.copyOf(devices.values());
        }
    }

    /**
     * Simulates the hot unplug of a device: see {@link SimDevice#unplug}.
     *
     * @param deviceName the name of the device; after {@code unplug}, another device may use this name and the addresses
     * @throws VerbsException {@code ENODEV} if no device has this name
     */
    public synchronized void unplug(String deviceName) throws VerbsException {
        SimDevice device = find(deviceName, "SimProvider.unplug");
        devices.remove(deviceName);
        device.unplug();
        goneWithOpenObjects();
        gone.add(device);
    }

    /** Removes from {@link #gone} each device whose verbs objects are all closed, and then returns {@code gone}. */
    private List<SimDevice> goneWithOpenObjects() {
        gone.removeIf(device -> device.openObjects().isEmpty());
        return gone;
    }

    /**
     * Adds a device.
     *
     * @param spec the specification of the device
     * @throws VerbsException {@code EADDRINUSE} if an address is already in use on the fabric; {@code EEXIST} if a device has
     *     this name already; {@code ENODEV} if this provider is closed
     */
    public synchronized void plug(SimDeviceSpec spec) throws VerbsException {
        if (closed) {
            throw new VerbsException(
                    Errno.ENODEV,
                    "SimProvider.plug",
                    "the provider is closed and cannot add device " + spec.name() + "; create another provider");
        }
        add(spec);
    }

    /** Returns a GUID computed from an IP address, different for each address and the same in every run. */
    private static Guid guidOf(Gid address) {
        long folded = address.isIpv4() ? address.ipv4() : Long.hashCode(address.high()) ^ Long.hashCode(address.low());
        return new Guid(GUID_PREFIX | (folded & 0xFFFF_FFFFL));
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public Availability availability() {
        return new Availability.Available(devices.size() + " software devices in this process");
    }

    @Override
    public List<DeviceInfo> devices() {
        List<DeviceInfo> list = new ArrayList<>();
        for (SimDevice device : present()) {
            list.add(new DeviceInfo(device.name(), device.attributes().nodeGuid(), NodeType.CA));
        }
        return List.copyOf(list);
    }

    @Override
    public Device open(String deviceName) throws VerbsException {
        return find(deviceName, "ibv_open_device").open();
    }

    /**
     * {@return the counters of a device; their values change as the device counts further events}
     *
     * @param deviceName the name of the device
     * @throws VerbsException {@code ENODEV} if no device has this name
     */
    public DeviceCounters counters(String deviceName) throws VerbsException {
        return find(deviceName, "SimProvider.counters").counters();
    }

    /**
     * Returns readable text about the outstanding work requests. If {@link #runtime()} uses wall-clock time, another thread
     * may change a queue pair during the call. The result may mix old and new values of a changing queue pair.
     *
     * @return a line for each queue pair with outstanding work requests, without a line feed at the end
     */
    public String posted() {
        return present().stream()
                .map(SimDevice::posted)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    /**
     * Sets the link state of a device's port, as if its cable were disconnected or connected: see {@link SimDevice#link}.
     *
     * @param deviceName the name of the device
     * @param up true to set the link up, false to set it down
     * @throws VerbsException {@code ENODEV} if no device has this name
     */
    public void link(String deviceName, boolean up) throws VerbsException {
        find(deviceName, "SimProvider.link").link(up);
    }

    private SimDevice find(String deviceName, String verb) throws VerbsException {
        SimDevice device = devices.get(deviceName);
        if (device == null) {
            throw new VerbsException(
                    Errno.ENODEV, verb, "there is no device " + deviceName + "; the devices are " + devices.keySet());
        }
        return device;
    }

    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        return type == ConnectionManager.class ? Optional.of(type.cast(connections)) : Optional.empty();
    }

    @Override
    public VerbsRuntime runtime() {
        return runtime;
    }

    /**
     * Returns all verbs objects that are not yet closed. If an application calls this method after closing all its objects,
     * each returned object is a leak.
     *
     * @return the open verbs objects of all devices, parents before children; empty at level {@link LeakDetection#OFF}
     */
    @Override
    public List<Leak> leaks() {
        return leakDetection == LeakDetection.OFF
                ? List.of()
                : Stream.concat(present().stream(), goneWithOpenObjects().stream())
                        .flatMap(device -> device.openObjects().stream())
                        .toList();
    }

    /**
     * Detaches the devices from the fabric, and logs a warning if a verbs object is not closed. This method closes neither
     * the {@link SimRuntime} nor the fabric; their creator must close them.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        present().forEach(SimDevice::close);
        List<Leak> leaks = leaks();
        if (!leaks.isEmpty()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the provider was closed, but these objects are still open: {0}",
                    Leak.summary(leaks));
            for (Leak leak : leaks) {
                leak.opened().ifPresent(stack -> LOGGER.log(System.Logger.Level.WARNING, leak.toString(), stack));
            }
        }
    }
}
