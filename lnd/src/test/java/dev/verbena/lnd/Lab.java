// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.fault.provider.CompletionRule;
import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.lnet.Nid;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Seven software devices under virtual time, and LNet nodes on them. */
final class Lab extends Rig {
    /** Makes the whole suite run on pages of another size; 0 leaves the profiles as they are. */
    private static final long PAGE_SIZE = Long.getLong("verbena.lnd.pageSize", 0);

    private final VirtualRuntime runtime;
    private final LossyFabric fabric;
    private final SimProvider provider;

    Lab(long seed) throws VerbsException {
        this(seed, DeviceProfile.specification());
    }

    Lab(long seed, DeviceProfile profile) throws VerbsException {
        this(seed, profile, LeakDetection.TRACED);
    }

    Lab(long seed, DeviceProfile profile, LeakDetection leaks) throws VerbsException {
        this(seed, profile, leaks, null);
    }

    /** Makes a lab with a tap that gets the devices' packets. */
    Lab(long seed, DeviceProfile profile, LeakDetection leaks, @Nullable PacketTap tap) throws VerbsException {
        this(new VirtualRuntime(seed), seed, profile, leaks, tap);
    }

    private Lab(VirtualRuntime runtime, long seed, DeviceProfile profile, LeakDetection leaks, @Nullable PacketTap tap)
            throws VerbsException {
        this(runtime, new LossyFabric(new InProcessFabric(runtime), seed), profile, leaks, tap);
    }

    private Lab(
            VirtualRuntime runtime,
            LossyFabric fabric,
            DeviceProfile profile,
            LeakDetection leaks,
            @Nullable PacketTap tap)
            throws VerbsException {
        this(
                runtime,
                fabric,
                new SimProvider(
                        runtime,
                        tap == null ? fabric : new TappedFabric(fabric, runtime, tap),
                        devices(profile),
                        leaks));
    }

    private Lab(VirtualRuntime runtime, LossyFabric fabric, SimProvider provider) {
        super(provider);
        this.runtime = runtime;
        this.fabric = fabric;
        this.provider = provider;
    }

    private static List<SimDeviceSpec> devices(DeviceProfile profile) {
        return Stream.of(
                        SimDeviceSpec.of("sim0", "10.0.0.1"),
                        SimDeviceSpec.of("sim1", "10.0.0.2"),
                        SimDeviceSpec.of("sim2", "10.0.0.3"),
                        SimDeviceSpec.of("sim3", "10.0.1.1"),
                        SimDeviceSpec.of("sim4", "10.77.0.2"),
                        SimDeviceSpec.of("sim5", "10.77.0.3"),
                        SimDeviceSpec.of("sim6", "10.77.0.1"))
                .map(device -> device.withProfile(PAGE_SIZE == 0 ? profile : onPages(profile, PAGE_SIZE)))
                .toList();
    }

    /** A device on a system with pages of this size. Its kernel refuses an iova with another offset in a page. */
    static DeviceProfile onPages(DeviceProfile profile, long pageSize) {
        return profile.toBuilder()
                .attributes(profile.attributes().toBuilder()
                        .systemPageSize(pageSize)
                        .build())
                .with(Quirk.IOVA_KEEPS_PAGE_OFFSET)
                .build();
    }

    Lab registering(RegistrationTunables parameters) {
        register(parameters);
        return this;
    }

    Lab delaying(CompletionRule rule) {
        delay(rule);
        return this;
    }

    Lab failing(FaultyCall call, int count, Errno errno) {
        fail(call, count, errno);
        return this;
    }

    @Override
    InetAddress addressOf(int host) {
        return address(host);
    }

    /** The address 10.w.x.y of host number 65536 w + 256 x + y. */
    static InetAddress address(int host) {
        try {
            return InetAddress.getByAddress(new byte[] {10, (byte) (host >> 16), (byte) (host >> 8), (byte) host});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    static Nid nid(int host) {
        return Nid.parse("10." + (host >> 16) + "." + (host >> 8 & 0xff) + "." + (host & 0xff) + "@o2ib");
    }

    LossyFabric fabric() {
        return fabric;
    }

    @Override
    VirtualRuntime runtime() {
        return runtime;
    }

    SimProvider provider() {
        return provider;
    }

    void pass(Duration time) {
        await(() -> false, time);
    }

    @Override
    void lose(double probability) {
        fabric.loss(probability);
    }

    @Override
    void silence(int host) {
        fabric.silence("sim" + (host - 1));
    }

    @Override
    void unsilence() {
        fabric.unsilence();
    }

    /** Long enough for everything that is bound to happen. */
    @Override
    void settle(Runnable eachEvent, BooleanSupplier quiet) {
        super.settle(eachEvent, () -> false);
    }

    @Override
    void closeDevices() {
        provider.close();
        runtime.close();
        List<Leak> leaks = provider.leaks();
        if (!leaks.isEmpty()) {
            AssertionError failure = new AssertionError("not closed: " + leaks);
            leaks.forEach(leak -> leak.opened().ifPresent(failure::addSuppressed));
            throw failure;
        }
    }
}
