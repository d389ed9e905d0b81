package dev.verbena.junit;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Probability;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.capture.CompositeTap;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.PcapngTap;
import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.fault.FaultyFabric;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.VirtualActor;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsScope;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A network of software devices in virtual time. A thread that waits drives the network, and time advances only then. A
 * program with several threads runs them as {@linkplain #actor actors}. The same seed gives the same run.
 *
 * <p>For one thread at a time, and for its actors.
 */
public final class VerbsNetwork implements AutoCloseable {
    private static final Duration WITHOUT_END = Duration.ofSeconds(Long.MAX_VALUE);

    private final VirtualRuntime runtime;
    private final FaultyFabric fabric;
    private final SimProvider provider;
    private final VerbsScope scope = new VerbsScope();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<QpEnd> ends = new ArrayList<>();
    private final List<VirtualActor> actors = new ArrayList<>();
    private final PacketLog log = new PacketLog();
    private final @Nullable PcapngTap capture;
    private boolean closed;

    private VerbsNetwork(Builder settings) throws VerbsException {
        runtime = new VirtualRuntime(settings.seed);
        fabric = new FaultyFabric(new InProcessFabric(runtime, settings.links), settings.faults.build(), runtime);
        List<PacketTap> taps = new ArrayList<>(List.of(log));
        if (settings.tap != null) {
            taps.add(settings.tap);
        }
        capture = settings.capture == null ? null : newCapture(settings.capture);
        if (capture != null) {
            taps.add(capture);
        }
        List<SimDeviceSpec> devices = new ArrayList<>();
        for (String name : settings.nodes) {
            devices.add(
                    SimDeviceSpec.of(name, "192.0.2." + (devices.size() + 1)).withProfile(settings.profile));
        }
        provider = new SimProvider(
                runtime, new TappedFabric(fabric, runtime, new CompositeTap(taps)), devices, LeakDetection.TRACED);
        for (String name : settings.nodes) {
            nodes.put(name, new Node(name, provider, scope));
        }
    }

    private PcapngTap newCapture(Path file) throws VerbsException {
        try {
            return PcapngTap.open(file, runtime);
        } catch (IOException e) {
            throw new VerbsException(Errno.EIO, "VerbsNetwork", "the capture " + file + " cannot be written: " + e);
        }
    }

    /**
     * Describes a network.
     *
     * @return a builder with the nodes {@code client} and {@code server}, and links without faults
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a node.
     *
     * @param name its name
     * @return the node
     * @throws IllegalArgumentException if the network has no such node
     */
    public Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("there is no node " + name + "; there are " + nodes.keySet());
        }
        return node;
    }

    /**
     * Returns the nodes.
     *
     * @return all nodes, in the order of their names in {@link Nodes}
     */
    public List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    /**
     * Returns the provider, for programs that open devices by name: a node's device has the node's name.
     *
     * @return the provider of this network
     */
    public VerbsProvider provider() {
        return provider;
    }

    /**
     * Returns the connection manager. The address of node number n, from 1, is 192.0.2.n.
     *
     * @return rdma_cm for the devices of this network
     */
    public ConnectionManager connectionManager() {
        return provider.extension(ConnectionManager.class).orElseThrow();
    }

    /**
     * Connects two new reliable queue pairs.
     *
     * @param client the node of one
     * @param server the node of the other; may be the same node
     * @return a new pair; the network closes it
     * @throws VerbsException if a limit of a device is reached
     */
    public RcPair connectRc(Node client, Node server) throws VerbsException {
        QpEnd left = opened(client.newEnd(QpType.RC));
        QpEnd right = opened(server.newEnd(QpType.RC));
        Ends.connect(left, right);
        return new RcPair(left, right);
    }

    /**
     * Connects two new reliable queue pairs, of which the server's receives from the shared receive queue of its node.
     *
     * @param client the node of one
     * @param server the node of the other; may be the same node
     * @return a new pair; the network closes it
     * @throws VerbsException if a limit of a device is reached
     */
    public SrqPair connectSrq(Node client, Node server) throws VerbsException {
        QpEnd left = opened(client.newEnd(QpType.RC));
        QpEnd right = opened(server.newSrqEnd());
        Ends.connect(left, right);
        return new SrqPair(left, right);
    }

    /**
     * Connects two new unreliable queue pairs.
     *
     * @param client the node of one
     * @param server the node of the other; may be the same node
     * @return a new pair; the network closes it
     * @throws VerbsException if a limit of a device is reached
     */
    public UcPair connectUc(Node client, Node server) throws VerbsException {
        QpEnd left = opened(client.newEnd(QpType.UC));
        QpEnd right = opened(server.newEnd(QpType.UC));
        Ends.connect(left, right);
        return new UcPair(left, right);
    }

    /**
     * Makes two new datagram queue pairs, and the path from each to the other.
     *
     * @param client the node of one
     * @param server the node of the other; may be the same node
     * @return a new pair; the network closes it
     * @throws VerbsException if a limit of a device is reached
     */
    public UdPair connectUd(Node client, Node server) throws VerbsException {
        QpEnd left = opened(client.newEnd(QpType.UD));
        QpEnd right = opened(server.newEnd(QpType.UD));
        Ends.start(left.qp());
        Ends.start(right.qp());
        return new UdPair(left, right, server.newHandle(client), client.newHandle(server));
    }

    private QpEnd opened(QpEnd end) {
        ends.add(end);
        return end;
    }

    /**
     * Adds a fault. Rules are asked in the order in which they were added.
     *
     * @param rule decides about each packet
     */
    public void fault(LinkRule rule) {
        fabric.add(rule);
    }

    /**
     * Pulls or plugs the cable of a node.
     *
     * @param node the node
     * @param up false to pull it
     * @throws VerbsException never for a node of this network
     */
    public void link(Node node, boolean up) throws VerbsException {
        provider.link(node.name(), up);
    }

    /**
     * Runs blocking code in a thread of its own, as {@link VirtualRuntime#actor}.
     *
     * @param name the actor's name
     * @param body the code
     * @return the actor
     */
    public VirtualActor actor(String name, VirtualActor.Body body) {
        VirtualActor actor = runtime.actor(name, body);
        actors.add(actor);
        return actor;
    }

    /**
     * Waits until an actor has ended.
     *
     * @param actor the actor
     * @throws InterruptedException if the thread was interrupted
     * @throws IllegalStateException if nothing can happen any more; the message names who waits for what
     */
    public void join(VirtualActor actor) throws InterruptedException {
        runtime.await(actor::hasEnded, WITHOUT_END);
    }

    /**
     * Waits until all actors have ended. The extension does this after the test method.
     *
     * @throws InterruptedException if the thread was interrupted
     * @throws IllegalStateException if nothing can happen any more; the message names who waits for what
     */
    public void joinActors() throws InterruptedException {
        for (VirtualActor actor : actors) {
            join(actor);
        }
    }

    /**
     * Lets time pass.
     *
     * @param time how long
     * @throws InterruptedException if the thread was interrupted
     */
    public void sleep(Duration time) throws InterruptedException {
        runtime.await(() -> false, time);
    }

    /**
     * Waits until a condition of the program holds.
     *
     * @param condition evaluated after every event
     * @param timeout how long to wait at most
     * @return whether it held in time
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        return runtime.await(condition, timeout);
    }

    /**
     * Returns the time that has passed.
     *
     * @return the virtual time since the start of the network
     */
    public Duration time() {
        return Duration.ofNanos(runtime.nanoTime());
    }

    /**
     * Returns the seed.
     *
     * @return the seed that repeats the run
     */
    public long seed() {
        return runtime.seed();
    }

    /**
     * Counts packets that the links have dropped.
     *
     * @return packets lost by {@link Link#loss} and by rules
     */
    public long dropped() {
        return fabric.count(FaultKind.DROP);
    }

    /**
     * Counts packets that the devices have sent again.
     *
     * @return request packets of all devices
     */
    public long retransmitted() {
        return nodes.values().stream()
                .mapToLong(node -> node.counter(Counter.RETRANSMITTED_PKTS))
                .sum();
    }

    /**
     * Describes the network for a person who reads why a test has failed.
     *
     * @return the seed, the time, queue pairs that are not idle, and the last packets of each link
     */
    public String report() {
        StringBuilder text = new StringBuilder("seed ")
                .append(seed())
                .append(", at virtual time ")
                .append(time());
        text.append(", ").append(dropped()).append(" packets dropped, ");
        text.append(retransmitted())
                .append(" sent again; repeat with @VerbsTest(seed = ")
                .append(seed())
                .append("L)");
        text.append('\n').append(runtime.describeStall());
        for (QpEnd end : ends) {
            Explanation explanation = end.qp().explain();
            if (end.qp().state() != QpState.RTS || !explanation.findings().isEmpty()) {
                text.append('\n').append(explanation);
            }
        }
        return text.append(log.text()).toString();
    }

    /**
     * Returns what the program has opened and not closed.
     *
     * @return the objects, each with the stack that opened it, without those of the network itself
     */
    public List<Leak> leaks() {
        return provider.leaks().stream().filter(leak -> !isOwn(leak)).toList();
    }

    private static boolean isOwn(Leak leak) {
        return leak.opened().stream()
                .flatMap(stack -> Arrays.stream(stack.getStackTrace()))
                .anyMatch(frame -> frame.getClassName().equals(Node.class.getName()));
    }

    /**
     * Ends the actors, and closes what the network has opened; idempotent.
     *
     * @throws VerbsException {@code EBUSY} if an object that the program has not closed uses one of the network's; {@code
     *     EIO} if the capture could not be written
     */
    @Override
    public void close() throws VerbsException {
        if (closed) {
            return;
        }
        closed = true;
        runtime.close();
        try {
            scope.close();
        } finally {
            closeCapture();
        }
    }

    private void closeCapture() throws VerbsException {
        if (capture != null) {
            try {
                capture.close();
            } catch (IOException e) {
                throw new VerbsException(Errno.EIO, "VerbsNetwork.close", "the capture could not be written: " + e);
            }
        }
    }

    /** Describes a network; not thread-safe. */
    public static final class Builder {
        /** The extra delay of a reordered packet. */
        private static final Duration REORDERING = Duration.ofNanos(20_000);

        private final FaultPlan.Builder faults = FaultPlan.builder();
        private List<String> nodes = List.of("client", "server");
        private LinkProperties links = LinkProperties.DEFAULT;
        private DeviceProfile profile = DeviceProfile.specification();
        private @Nullable PacketTap tap;
        private @Nullable Path capture;
        private long seed = 1;

        private Builder() {}

        /**
         * Names the nodes.
         *
         * @param names different names, at least one
         * @return this builder
         */
        public Builder nodes(String... names) {
            nodes = List.of(names);
            return this;
        }

        /**
         * Sets the seed.
         *
         * @param value any number; 1 by default
         * @return this builder
         */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /**
         * Sets latency, bandwidth and MTU of all links.
         *
         * @param value the properties
         * @return this builder
         */
        public Builder links(LinkProperties value) {
            links = value;
            return this;
        }

        /**
         * Loses packets.
         *
         * @param chance for each packet
         * @return this builder
         */
        public Builder loss(Probability chance) {
            faults.drop(chance);
            return this;
        }

        /**
         * Duplicates packets.
         *
         * @param chance for each packet
         * @return this builder
         */
        public Builder duplicate(Probability chance) {
            faults.duplicate(chance);
            return this;
        }

        /**
         * Delays single packets, so that others overtake them.
         *
         * @param chance for each packet
         * @return this builder
         */
        public Builder reorder(Probability chance) {
            faults.reorder(chance, REORDERING);
            return this;
        }

        /**
         * Changes bits of packets.
         *
         * @param chance for each packet
         * @return this builder
         */
        public Builder corrupt(Probability chance) {
            faults.corrupt(chance);
            return this;
        }

        /**
         * Sets the kind of all devices.
         *
         * @param value the profile
         * @return this builder
         */
        public Builder profile(DeviceProfile value) {
            profile = value;
            return this;
        }

        /**
         * Observes every packet as its device sends it.
         *
         * @param value the tap
         * @return this builder
         */
        public Builder tap(PacketTap value) {
            tap = value;
            return this;
        }

        /**
         * Writes the packets into a file, as their devices send them.
         *
         * @param file a file in pcapng format, which is created or overwritten
         * @return this builder
         */
        public Builder capture(Path file) {
            capture = file;
            return this;
        }

        /**
         * Makes the network.
         *
         * @return a new network, to be closed
         * @throws VerbsException {@code EEXIST} if two nodes have one name; {@code EIO} if the capture cannot be written
         */
        public VerbsNetwork build() throws VerbsException {
            return new VerbsNetwork(this);
        }
    }
}
