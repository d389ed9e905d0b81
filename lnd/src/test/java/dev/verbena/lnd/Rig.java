// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.fault.provider.CompletionRule;
import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.CounterReading;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** A provider with devices that have an address for each host, numbered from 1, and LNet nodes on them. */
abstract class Rig implements AutoCloseable {

    static final int PORTAL = 28;
    static final long BITS = 0x7777;

    private final VerbsProvider provider;
    private final FaultyProvider faulty;
    private final List<LnetNode> nodes = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private boolean faults;
    private RegistrationTunables registration = RegistrationTunables.defaults();

    Rig(VerbsProvider provider) {
        this.provider = provider;
        faulty = new FaultyProvider(provider);
    }

    abstract InetAddress addressOf(int host);

    VerbsRuntime runtime() {
        return provider.runtime();
    }

    LnetNode start(int host) throws VerbsException {
        return start(host, tunables().build());
    }

    /** The tunables of a node that is started without. */
    O2ibTunables.Builder tunables() {
        return O2ibTunables.builder().memory(16L << 20).registration(registration);
    }

    LnetNode start(int host, O2ibTunables tunables) throws VerbsException {
        return start(manager(), host, tunables);
    }

    LnetNode start(ConnectionManager manager, int host, O2ibTunables tunables) throws VerbsException {
        LnetNode node = LnetNode.start(manager, addressOf(host), nidOf(host), tunables);
        nodes.add(node);
        return node;
    }

    Nid nidOf(int host) {
        return Nid.parse(addressOf(host).getHostAddress() + "@o2ib");
    }

    /** How nodes register memory that are started without tunables. */
    void register(RegistrationTunables parameters) {
        registration = parameters;
    }

    ConnectionManager manager() {
        return (faults ? faulty : provider).extension(ConnectionManager.class).orElseThrow();
    }

    private <T> T onDevice(int host, Function<Device, T> question) throws VerbsException {
        try (EventChannel channel = manager().createEventChannel();
                ConnectionId id = manager().createId(channel, PortSpace.TCP, null)) {
            id.bind(new InetSocketAddress(addressOf(host), 0));
            return question.apply(id.device().orElseThrow());
        }
    }

    List<RegistrationKind> kinds(int host) throws VerbsException {
        return onDevice(
                host,
                device -> Arrays.stream(RegistrationKind.values())
                        .filter(kind -> kind.isPossible(device.capabilities()))
                        .toList());
    }

    /** Returns the counters of a host's device, or none. */
    List<CounterReading> counters(int host) throws VerbsException {
        return onDevice(
                host,
                device -> device.extension(Counters.class).map(Counters::read).orElse(List.of()));
    }

    /** Starts later nodes on devices that reorder completions. */
    void delay(CompletionRule rule) {
        faults = true;
        faulty.onCompletion(rule);
    }

    /** Starts later nodes on devices on which the next calls of a method fail. */
    void fail(FaultyCall call, int count, Errno errno) {
        faults = true;
        faulty.fail(call, 1, count, errno);
    }

    /** Loses packets by chance from now on, if the medium supports it. */
    void lose(double probability) {}

    /** Drops all packets of a host from now on, if the medium supports it. */
    void silence(int host) {}

    void unsilence() {}

    /**
     * Waits until nothing happens any more: for a long time under virtual time, otherwise until nothing has happened
     * for a while.
     */
    void settle(Runnable eachEvent, BooleanSupplier quiet) {
        await(
                () -> {
                    eachEvent.run();
                    return quiet.getAsBoolean();
                },
                Duration.ofMinutes(3));
    }

    /** The nodes that were started and not closed. */
    List<LnetNode> nodes() {
        return nodes;
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

    /** Waits in the rig's time. */
    boolean await(BooleanSupplier condition, Duration timeout) {
        try {
            return runtime().await(condition, timeout);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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
        closeDevices();
        arena.close();
    }

    /** Closes the rig's objects besides the nodes. */
    void closeDevices() throws VerbsException {}
}
