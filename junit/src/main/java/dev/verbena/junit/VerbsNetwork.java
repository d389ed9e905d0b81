// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.fault.LinkRule;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.sim.runtime.VirtualActor;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.VerbsScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A network of software devices, in virtual time unless its builder selects wall time. Virtual time advances only while
 * a thread waits. If a program has several threads, the test starts each thread with {@link #actor}. In virtual time,
 * the same seed repeats the same run.
 *
 * <p>All threads that {@link #actor} has started may use a {@code VerbsNetwork}. Threads that {@code actor} has not
 * started must use the {@code VerbsNetwork} one at a time. In wall time, several threads may use a device or another
 * verbs object of this network if the Javadoc of the object's type permits this.
 */
public final class VerbsNetwork implements AutoCloseable {
    private static final Duration WITHOUT_END = Duration.ofSeconds(Long.MAX_VALUE);

    private final VerbsProvider provider;

    /** The software devices; null if the network has devices of another provider. */
    private final @Nullable SoftwareNetwork software;

    private final VerbsRuntime runtime;
    private final long start;
    private final VerbsScope scope = new VerbsScope();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<VirtualActor> actors = new ArrayList<>();
    private boolean closed;

    VerbsNetwork(List<String> names, VerbsProvider provider, @Nullable SoftwareNetwork software) throws VerbsException {
        this.provider = provider;
        this.software = software;
        runtime = provider.runtime();
        start = runtime.nanoTime();
        List<DeviceInfo> devices = provider.devices();
        if (devices.isEmpty()) {
            throw new VerbsException(Errno.ENODEV, "VerbsNetwork", noDevice(provider));
        }
        for (String name : names) {
            String device = devices.get(nodes.size() % devices.size()).name();
            nodes.put(name, new Node(name, device, provider, scope));
        }
    }

    private static String noDevice(VerbsProvider provider) {
        return "the provider " + provider.name() + " has no device: "
                + switch (provider.availability()) {
                    case Availability.Available(String detail) -> detail;
                    case Availability.Unavailable(String reason, String cure) -> reason + "; " + cure;
                };
    }

    /** Returns the software devices. Without software devices, throws an exception that makes JUnit skip the test. */
    private SoftwareNetwork softwareFor(String method) {
        if (software == null) {
            throw new TestAbortedException("VerbsNetwork." + method + " needs the software device, and the test runs on"
                    + " the devices of " + provider.name());
        }
        return software;
    }

    private VirtualRuntime virtualTime() {
        VirtualRuntime virtual = softwareFor("actor").virtualTime();
        if (virtual == null) {
            throw new IllegalStateException("actors need virtual time; remove the annotation @Fabric, or use threads");
        }
        return virtual;
    }

    /**
     * Returns a builder of a network.
     *
     * @return a builder with the nodes {@code client} and {@code server}, and with links without faults
     */
    public static VerbsNetworkBuilder builder() {
        return new VerbsNetworkBuilder();
    }

    /**
     * Returns a node.
     *
     * @param name the name of the node
     * @return the node
     * @throws IllegalArgumentException if the network has no node with this name
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
     * @return all nodes, in the order in which the annotation {@link Nodes} lists their names
     */
    public List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    /**
     * Returns the provider, for programs that open devices by name. Each software device has the name of its node.
     *
     * @return the provider of this network
     */
    public VerbsProvider provider() {
        return provider;
    }

    /**
     * Returns the connection manager. The address of node number n, from 1, is 192.0.2.n.
     *
     * @return the connection manager (rdma_cm) for the devices of this network
     */
    public ConnectionManager connectionManager() {
        return provider.extension(ConnectionManager.class).orElseThrow();
    }

    /**
     * Connects two new reliable queue pairs.
     *
     * @param client the node of the first queue pair
     * @param server the node of the second queue pair, which may be the node of the first
     * @return the two queue pairs; the network closes both
     * @throws VerbsException if a limit of a device is reached
     */
    public RcPair connectRc(Node client, Node server) throws VerbsException {
        QpEnd left = client.newEnd(QpType.RC);
        QpEnd right = server.newEnd(QpType.RC);
        Ends.connect(left, right);
        return new RcPair(left, right);
    }

    /**
     * Connects two new reliable queue pairs. The server's queue pair uses the shared receive queue of the node
     * {@code server}.
     *
     * @param client the node of the first queue pair
     * @param server the node of the second queue pair, which may be the node of the first
     * @return the two queue pairs; the network closes both
     * @throws VerbsException if a limit of a device is reached
     */
    public SrqPair connectSrq(Node client, Node server) throws VerbsException {
        QpEnd left = client.newEnd(QpType.RC);
        QpEnd right = server.newSrqEnd();
        Ends.connect(left, right);
        return new SrqPair(left, right);
    }

    /**
     * Connects two new unreliable queue pairs.
     *
     * @param client the node of the first queue pair
     * @param server the node of the second queue pair, which may be the node of the first
     * @return the two queue pairs; the network closes both
     * @throws VerbsException if a limit of a device is reached
     */
    public UcPair connectUc(Node client, Node server) throws VerbsException {
        QpEnd left = client.newEnd(QpType.UC);
        QpEnd right = server.newEnd(QpType.UC);
        Ends.connect(left, right);
        return new UcPair(left, right);
    }

    /**
     * Creates two new datagram queue pairs, and the path from each node to the other.
     *
     * @param client the node of the first queue pair
     * @param server the node of the second queue pair, which may be the node of the first
     * @return the two queue pairs; the network closes both
     * @throws VerbsException if a limit of a device is reached
     */
    public UdPair connectUd(Node client, Node server) throws VerbsException {
        QpEnd left = client.newEnd(QpType.UD);
        QpEnd right = server.newEnd(QpType.UD);
        Ends.start(left.qp());
        Ends.start(right.qp());
        return new UdPair(left, right, server.newHandle(client), client.newHandle(server));
    }

    /**
     * Adds a fault rule. The network applies the fault rules to each packet in the order in which they were added.
     *
     * @param rule decides about each packet
     * @throws TestAbortedException if the network has no software devices
     */
    public void fault(LinkRule rule) {
        softwareFor("fault").faults().add(rule);
    }

    /**
     * Unplugs or plugs the cable of a node.
     *
     * @param node the node
     * @param up whether the link is up after the call
     * @throws VerbsException if the node belongs to another network
     * @throws TestAbortedException if the network has no software devices
     */
    public void link(Node node, boolean up) throws VerbsException {
        softwareFor("link").provider().link(node.name(), up);
    }

    /**
     * Runs blocking code in a thread of its own, as {@link VirtualRuntime#actor} does.
     *
     * @param name the actor's name
     * @param body the code
     * @return the actor
     * @throws IllegalStateException if time is not virtual or {@link VirtualRuntime#actor} throws an IllegalStateException
     * @throws TestAbortedException if the network has no software devices
     */
    public VirtualActor actor(String name, VirtualActor.Body body) {
        VirtualActor actor = virtualTime().actor(name, body);
        actors.add(actor);
        return actor;
    }

    /**
     * Waits until an actor has ended.
     *
     * @param actor the actor
     * @throws InterruptedException if the thread was interrupted
     * @throws IllegalStateException if all threads of {@link #actor} wait and no event is pending; the message has the
     *     awaited condition of each thread
     */
    public void join(VirtualActor actor) throws InterruptedException {
        runtime.await(actor::hasEnded, WITHOUT_END);
    }

    /**
     * Waits until all threads that were started by {@link #actor} have ended. The JUnit extension calls this method
     * when the test method has returned.
     *
     * @throws InterruptedException if the thread was interrupted
     * @throws IllegalStateException if all threads of {@link #actor} wait and no event is pending; the message has the
     *     awaited condition of each thread
     */
    public void joinActors() throws InterruptedException {
        for (VirtualActor actor : actors) {
            join(actor);
        }
    }

    /**
     * Waits for a duration of the network's time.
     *
     * @param time the duration
     * @throws InterruptedException if the thread was interrupted
     */
    public void sleep(Duration time) throws InterruptedException {
        runtime.await(() -> false, time);
    }

    /**
     * Waits until a condition of the program is true.
     *
     * @param condition evaluated after every event
     * @param timeout the longest wait
     * @return whether the condition was true before the timeout
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        return runtime.await(condition, timeout);
    }

    /**
     * Returns the time that has passed since the start of the network.
     *
     * @return the duration since the start, by the network's clock
     */
    public Duration time() {
        return Duration.ofNanos(runtime.nanoTime() - start);
    }

    /**
     * Returns the seed.
     *
     * @return the seed; in virtual time, the same seed repeats the run
     * @throws TestAbortedException if the network has no software devices
     */
    public long seed() {
        return softwareFor("seed").seed();
    }

    /**
     * Counts packets that the links have dropped.
     *
     * @return the number of packets lost by {@link Link#loss} and by rules
     * @throws TestAbortedException if the network has no software devices
     */
    public long dropped() {
        return softwareFor("dropped").faults().count(FaultKind.DROP);
    }

    /**
     * Counts packets that the devices have retransmitted.
     *
     * @return the number of request packets that all devices of the network have retransmitted
     * @throws TestAbortedException if the network has no software devices
     */
    public long retransmitted() {
        return nodes.values().stream()
                .mapToLong(node -> node.counter(Counter.RETRANSMITTED_PKTS))
                .sum();
    }

    /**
     * Describes the network for a person who investigates a failed test.
     *
     * @return a report with the seed, the time, the requests that are still posted, and the last packets of each link. The
     *     report also explains the state of each queue pair that is not idle. If the network runs in wall time, the report
     *     explains all queue pairs, including idle queue pairs. If the network uses a provider other than the software
     *     device, the report has neither the seed nor packets. Only software devices can list their posted requests. For
     *     other devices, the report has the number of posts and completions of each {@link QpEnd}
     */
    public String report() {
        StringBuilder text = new StringBuilder("provider ").append(provider.name());
        if (software != null) {
            text.append(", seed ").append(seed());
        }
        text.append(", ").append(PacketLog.milliseconds(time())).append(" after the start");
        if (software != null) {
            text.append(", ").append(dropped()).append(" packets dropped, ");
            text.append(retransmitted()).append(" sent again");
        }
        String posted = posted();
        text.append("\n\nstill posted:").append(posted.isEmpty() ? " nothing" : posted);
        for (Node node : nodes.values()) {
            for (QpEnd end : node.ends()) {
                Explanation explanation = end.qp().explain();
                if (!isVirtual() || isBusy(end, explanation, posted)) {
                    text.append("\n\n").append(node).append(": ").append(explanation);
                }
            }
        }
        return text.append(software == null ? "" : software.lastPackets()).toString();
    }

    /**
     * Returns the list of posted requests, with a line feed before each line. Only software devices can list posted
     * requests.
     */
    private String posted() {
        Stream<String> lines = software != null
                ? software.provider().posted().lines()
                : nodes.values().stream().flatMap(node -> node.ends().stream()).map(QpEnd::posted);
        return lines.map(line -> "\n  " + line).collect(Collectors.joining());
    }

    private boolean isVirtual() {
        return software != null && software.virtualTime() != null;
    }

    private static boolean isBusy(QpEnd end, Explanation explanation, String posted) {
        return end.qp().state() != QpState.RTS
                || !explanation.findings().isEmpty()
                || posted.contains(end.node() + ": QP " + end.qp().number() + " ");
    }

    /**
     * Returns the objects that the program has opened and not closed.
     *
     * @return the program's open objects, each with the stack trace of its opening. If the network uses a provider
     *     other than the software device, the returned list is empty
     */
    public List<Leak> leaks() {
        return software == null
                ? List.of()
                : provider.leaks().stream().filter(leak -> !isOwn(leak)).toList();
    }

    private static boolean isOwn(Leak leak) {
        return leak.opened().stream()
                .flatMap(stack -> Arrays.stream(stack.getStackTrace()))
                .anyMatch(frame -> frame.getClassName().equals(Node.class.getName()));
    }

    /**
     * Ends the threads that {@link #actor} has started, and closes the objects that the network has opened. A second
     * call has no effect.
     *
     * @throws VerbsException {@code EBUSY} if the program has not closed an object that uses an object of the network;
     *     {@code EIO} if the capture could not be written
     */
    @Override
    public void close() throws VerbsException {
        if (closed) {
            return;
        }
        closed = true;
        if (isVirtual()) {
            virtualTime().close();
        }
        try {
            scope.close();
        } finally {
            if (software != null) {
                software.close();
            }
        }
    }
}
