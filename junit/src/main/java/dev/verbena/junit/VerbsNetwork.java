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
 * A network of software devices, with virtual time unless its builder selects wall-clock time. Virtual time advances only
 * while a thread waits. If the application has several threads, the test starts each thread by the method {@link #actor}.
 * In virtual time, the same seed repeats the same execution.
 *
 * <p>All threads that the method {@link #actor} has started may use a {@code VerbsNetwork}. Threads that the method {@code
 * actor} has not started must use the {@code VerbsNetwork} one at a time. In wall-clock time, several threads may use a
 * device or another verbs object of a {@code VerbsNetwork} if the Javadoc of the object's type permits this.
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
     * @throws IllegalArgumentException if this {@code VerbsNetwork} has no node with this name
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
     * Connects two new RC queue pairs.
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
     * Connects two new RC queue pairs. The server's queue pair uses the shared receive queue of the node {@code server}.
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
     * Connects two new UC queue pairs.
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
     * Creates two new UD queue pairs, and the address handle for each of the two directions.
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
     * Adds a fault rule. The fabric applies the fault rules to each packet in the order in which the rules were added.
     *
     * @param rule the fault rule, which decides about each packet
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
     * Runs blocking code in a new simulated application thread, as {@link VirtualRuntime#actor} does.
     *
     * @param name the thread's name
     * @param body the code
     * @return the simulated application thread
     * @throws IllegalStateException if time is not virtual or {@link VirtualRuntime#actor} throws an IllegalStateException
     * @throws TestAbortedException if the network has no software devices
     */
    public VirtualActor actor(String name, VirtualActor.Body body) {
        VirtualActor actor = virtualTime().actor(name, body);
        actors.add(actor);
        return actor;
    }

    /**
     * Waits until a simulated application thread has ended.
     *
     * @param actor the simulated application thread
     * @throws InterruptedException if the thread was interrupted
     * @throws IllegalStateException if all simulated application threads wait and no simulation event is pending; the
     *     error message contains the line of code at which each thread waits
     */
    public void join(VirtualActor actor) throws InterruptedException {
        runtime.await(actor::hasEnded, WITHOUT_END);
    }

    /**
     * Waits until all threads that the method {@link #actor} started have ended. The JUnit extension calls this method when
     * the test method has returned.
     *
     * @throws InterruptedException if the thread was interrupted
     * @throws IllegalStateException if all simulated application threads wait and no simulation event is pending; the
     *     error message contains the line of code at which each thread waits
     */
    public void joinActors() throws InterruptedException {
        for (VirtualActor actor : actors) {
            join(actor);
        }
    }

    /**
     * Waits for a duration, in the virtual or wall-clock time of this {@code VerbsNetwork}.
     *
     * @param time the duration
     * @throws InterruptedException if the thread was interrupted
     */
    public void sleep(Duration time) throws InterruptedException {
        runtime.await(() -> false, time);
    }

    /**
     * Waits until a condition of the application is true.
     *
     * @param condition evaluated repeatedly; in virtual time, evaluated after every simulation event
     * @param timeout the longest wait
     * @return whether the condition was true before the timeout
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        return runtime.await(condition, timeout);
    }

    /**
     * Returns the time that has passed since the start of this {@code VerbsNetwork}.
     *
     * @return the duration since the start, in the virtual or wall-clock time of this {@code VerbsNetwork}
     */
    public Duration time() {
        return Duration.ofNanos(runtime.nanoTime() - start);
    }

    /**
     * Returns the seed.
     *
     * @return the seed; in virtual time, the same seed repeats the execution
     * @throws TestAbortedException if the network has no software devices
     */
    public long seed() {
        return softwareFor("seed").seed();
    }

    /**
     * Counts packets that the links have dropped.
     *
     * @return the number of packets dropped by {@link Link#loss} and by fault rules
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
     * @return a report with the seed, the time, the work requests that are still posted, and the last packets of each link.
     *     The report also contains a diagnosis of each queue pair that is not idle. In wall-clock time, the report contains
     *     a diagnosis of all queue pairs, including idle queue pairs. With a provider other than the software device, the
     *     report has neither the seed nor packets. Only software devices can list their posted work requests. For other
     *     devices, the report has the numbers of post calls and completions of each {@link QpEnd}
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
     * Returns the list of posted work requests, with a line feed before each line. Only software devices can list posted
     * work requests.
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
     * Returns the verbs objects that the application has opened and not closed.
     *
     * @return the application's verbs objects that are not closed, each with the stack trace of the call that opened it. If
     *     this {@code VerbsNetwork} uses a provider other than the software device, the returned list is empty
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
     * Ends the threads that {@link #actor} has started, and closes the verbs objects that this {@code VerbsNetwork} has
     * opened. A second call has no effect.
     *
     * @throws VerbsException {@code EBUSY} if the application has not closed a verbs object that uses a verbs object of
     *     this {@code VerbsNetwork}; {@code EIO} if the capture file could not be written
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
