package dev.verbena.lnd;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.fault.CompletionRule;
import dev.verbena.fault.FaultyProvider;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.leak.Leak;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Seven software devices under virtual time, and LNet nodes on them. */
final class Lab implements AutoCloseable {

    static final int PORTAL = 28;
    static final long BITS = 0x7777;

    private final VirtualRuntime runtime;
    private final LossyFabric fabric;
    private final SimProvider provider;
    private final FaultyProvider faulty;
    private final List<LnetNode> nodes = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private boolean faults;
    private RegistrationTunables registration = RegistrationTunables.defaults();

    Lab(long seed) throws VerbsException {
        this(seed, DeviceProfile.specification());
    }

    Lab(long seed, DeviceProfile profile) throws VerbsException {
        this(seed, profile, LeakDetection.TRACED);
    }

    Lab(long seed, DeviceProfile profile, LeakDetection leaks) throws VerbsException {
        this(seed, profile, leaks, null);
    }

    /** With a tap that sees what the devices send. */
    Lab(long seed, DeviceProfile profile, LeakDetection leaks, @Nullable PacketTap tap) throws VerbsException {
        runtime = new VirtualRuntime(seed);
        fabric = new LossyFabric(new InProcessFabric(runtime), seed);
        provider = new SimProvider(
                runtime,
                tap == null ? fabric : new TappedFabric(fabric, runtime, tap),
                Stream.of(
                                SimDeviceSpec.of("sim0", "10.0.0.1"),
                                SimDeviceSpec.of("sim1", "10.0.0.2"),
                                SimDeviceSpec.of("sim2", "10.0.0.3"),
                                SimDeviceSpec.of("sim3", "10.0.1.1"),
                                SimDeviceSpec.of("sim4", "10.77.0.2"),
                                SimDeviceSpec.of("sim5", "10.77.0.3"),
                                SimDeviceSpec.of("sim6", "10.77.0.1"))
                        .map(device -> device.withProfile(profile))
                        .toList(),
                leaks);
        faulty = new FaultyProvider(provider);
    }

    LnetNode start(int host) throws VerbsException {
        return start(
                host,
                O2ibTunables.builder()
                        .memory(16L << 20)
                        .registration(registration)
                        .build());
    }

    LnetNode start(int host, O2ibTunables tunables) throws VerbsException {
        return start(manager(), host, tunables);
    }

    LnetNode start(ConnectionManager manager, int host, O2ibTunables tunables) throws VerbsException {
        LnetNode node = LnetNode.start(manager, address(host), nid(host), tunables);
        nodes.add(node);
        return node;
    }

    /** How nodes register memory that are started without tunables. */
    Lab registering(RegistrationTunables parameters) {
        registration = parameters;
        return this;
    }

    ConnectionManager manager() {
        return (faults ? faulty.extension(ConnectionManager.class) : provider.extension(ConnectionManager.class))
                .orElseThrow();
    }

    /** From now on nodes are started on devices whose completions come in another order than they should. */
    Lab delaying(CompletionRule rule) {
        faults = true;
        faulty.onCompletion(rule);
        return this;
    }

    /** From now on nodes are started on devices whose next calls of a method fail. */
    Lab failing(String call, int count, Errno errno) {
        faults = true;
        faulty.fail(call, 1, count, errno);
        return this;
    }

    /** The nodes that were started and not closed. */
    List<LnetNode> nodes() {
        return nodes;
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

    VirtualRuntime runtime() {
        return runtime;
    }

    SimProvider provider() {
        return provider;
    }

    /** Memory that no node knows, with content from a seed. */
    MemorySegment memory(long length, long seed) {
        MemorySegment segment = arena.allocate(length);
        fill(segment, seed);
        return segment;
    }

    static void fill(MemorySegment segment, long seed) {
        byte[] bytes = new byte[(int) segment.byteSize()];
        new Random(seed).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    /** Waits in virtual time. */
    boolean await(BooleanSupplier condition, Duration timeout) {
        try {
            return runtime.await(condition, timeout);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void pass(Duration time) {
        await(() -> false, time);
    }

    /** Attaches memory of one node for one operation. */
    static void serve(LnetNode node, MemorySegment memory, List<LnetEvent> events, MdOption... options) {
        node.attach(
                MatchEntry.on(PORTAL).matchBits(BITS).build(),
                MemoryDescriptor.over(memory)
                        .options(options)
                        .threshold(1)
                        .handler(events::add)
                        .build());
    }

    static MemoryDescriptor active(MemorySegment memory, int threshold, List<LnetEvent> events) {
        return MemoryDescriptor.over(memory)
                .threshold(threshold)
                .handler(events::add)
                .build();
    }

    void close(LnetNode node) throws VerbsException {
        nodes.remove(node);
        node.close();
    }

    @Override
    public void close() throws VerbsException {
        for (LnetNode node : List.copyOf(nodes)) {
            close(node);
        }
        provider.close();
        runtime.close();
        arena.close();
        List<Leak> leaks = provider.leaks();
        if (!leaks.isEmpty()) {
            AssertionError failure = new AssertionError("not closed: " + leaks);
            leaks.forEach(leak -> leak.opened().ifPresent(failure::addSuppressed));
            throw failure;
        }
    }
}
