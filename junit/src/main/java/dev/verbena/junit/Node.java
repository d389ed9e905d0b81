// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.cm.CmEndpoint;
import dev.verbena.cm.CmListener;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsScope;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * A node of a {@link VerbsNetwork}. The {@code VerbsNetwork} opens and closes the device and the verbs objects of the node.
 * In virtual time, only the main thread and threads of {@link VerbsNetwork#actor} may use a node. In wall-clock time,
 * several threads may call {@link #accept} and {@link #connect}.
 */
public final class Node {
    /** The length of the memory of each {@link QpEnd}, in bytes. */
    static final int END_BYTES = 1 << 20;

    /** The number of requests in each queue of a {@link QpEnd}. */
    static final int END_REQUESTS = 64;

    private static final QpCapabilities END_SIZES = QpCapabilities.of(END_REQUESTS, END_REQUESTS);
    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.builder().build();

    private static final int PORT = 1;

    /** The maximum duration of each step of a connection setup. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final AccessFlag[] ALL_ACCESS = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC
    };

    private final String name;
    private final dev.verbena.verbs.Device device;
    private final ProtectionDomain pd;
    private final VerbsScope scope;
    private final @Nullable DeviceCounters counters;
    private final VerbsProvider provider;
    private final List<QpEnd> ends = new CopyOnWriteArrayList<>();
    private @Nullable SharedReceiveQueue srq;

    Node(String name, String deviceName, VerbsProvider provider, VerbsScope scope) throws VerbsException {
        this.name = name;
        this.scope = scope;
        this.provider = provider;
        device = scope.opened(provider.open(deviceName));
        counters = provider instanceof SimProvider sim ? sim.counters(deviceName) : null;
        pd = scope.opened(device.allocatePd());
    }

    /**
     * Returns the name of the node.
     *
     * @return the name in {@link Nodes}
     */
    public String name() {
        return name;
    }

    /**
     * Returns the open device.
     *
     * @return the device, which the {@code VerbsNetwork} closes
     */
    public dev.verbena.verbs.Device device() {
        return device;
    }

    /**
     * Returns a protection domain of the device.
     *
     * @return the protection domain, which the {@code VerbsNetwork} closes
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Reads a counter of the device.
     *
     * @param counter the counter
     * @return the value of the counter, which is 0 at the start of the {@code VerbsNetwork}
     * @throws TestAbortedException if the node has no software device
     */
    public long counter(Counter counter) {
        if (counters == null) {
            throw new TestAbortedException("only software devices have counters, and " + name + " is " + device.name()
                    + " of the provider " + provider.name());
        }
        return counters.get(counter);
    }

    /**
     * Listens for rdma_cm connection requests.
     *
     * @param port the rdma_cm port, 1..65535; 0 for a free port
     * @return a listener on an IP address of this node; the {@code VerbsNetwork} closes the listener
     * @throws VerbsException as {@link CmListener#listen}
     */
    public CmListener listen(int port) throws VerbsException {
        InetSocketAddress address = new InetSocketAddress(
                GidSelector.automatic().select(device, PORT).gid().toAddress(), port);
        return scope.opened(CmListener.listen(manager(), address, END_SIZES, END_REQUESTS));
    }

    /**
     * Waits for a connection request, for up to 5 seconds of virtual or wall-clock time, and accepts the request.
     *
     * @param listener a listener of this node
     * @param receiveLength the length in bytes of the first receive request, or 0 for none. The method posts this
     *     receive request, with the id 0 and the offset 0, before the peer can send
     * @return this node's endpoint of an established connection; the {@code VerbsNetwork} closes the endpoint
     * @throws VerbsException as {@link CmListener#getRequest} and {@link CmEndpoint#accept}
     * @throws InterruptedException if the thread was interrupted
     */
    public QpEnd accept(CmListener listener, long receiveLength) throws VerbsException, InterruptedException {
        CmEndpoint endpoint = listener.getRequest(PATIENCE);
        QpEnd end = newEnd(endpoint, receiveLength);
        endpoint.accept(PARAMETERS, PATIENCE);
        return end;
    }

    /**
     * Uses rdma_cm to connect to a listener. Each step of the connection setup may take at most 5 seconds of virtual or
     * wall-clock time.
     *
     * @param listener the IP address and rdma_cm port of the listener
     * @param receiveLength the length in bytes of the first receive request, or 0 for none. The method posts this
     *     receive request, with the id 0 and the offset 0, before the peer can send
     * @return this node's endpoint of an established connection; the {@code VerbsNetwork} closes the endpoint
     * @throws VerbsException as {@link CmEndpoint#create} and {@link CmEndpoint#connect}
     * @throws InterruptedException if the thread was interrupted
     */
    public QpEnd connect(InetSocketAddress listener, long receiveLength) throws VerbsException, InterruptedException {
        CmEndpoint endpoint = CmEndpoint.create(manager(), listener, END_SIZES, PATIENCE);
        QpEnd end = newEnd(endpoint, receiveLength);
        endpoint.connect(PARAMETERS, PATIENCE);
        return end;
    }

    private ConnectionManager manager() {
        return provider.extension(ConnectionManager.class).orElseThrow();
    }

    private QpEnd newEnd(CmEndpoint endpoint, long receiveLength) throws VerbsException {
        scope.opened(endpoint);
        QpEnd end = newEnd(endpoint.queuePair(), newRegion(endpoint.protectionDomain()));
        if (receiveLength > 0) {
            end.postReceive(0, 0, receiveLength);
        }
        return end;
    }

    private MemoryRegion newRegion(ProtectionDomain domain) throws VerbsException {
        VerbsArena arena = scope.opened(device.newArena());
        return scope.opened(domain.registerMemory(arena.allocatePages(END_BYTES), ALL_ACCESS));
    }

    /** Returns the shared receive queue of the node. The first call creates the queue. */
    private SharedReceiveQueue srq() throws VerbsException {
        if (srq == null) {
            srq = scope.opened(
                    pd.createSrq(SrqInitAttributes.builder().maxWr(END_REQUESTS).build()));
        }
        return srq;
    }

    QpEnd newEnd(QpType type) throws VerbsException {
        return newEnd(type, null);
    }

    QpEnd newSrqEnd() throws VerbsException {
        return newEnd(QpType.RC, srq());
    }

    /** Creates an address handle for datagrams to a node. */
    AddressHandle newHandle(Node to) throws VerbsException {
        GidEntry source = GidSelector.automatic().select(device, PORT);
        GidEntry destination = GidSelector.automatic().select(to.device, PORT);
        return scope.opened(pd.createAh(AddressVector.toGid(destination.gid(), source.index()).toBuilder()
                .destinationLid(to.device.queryPort(PORT).lid())
                .build()));
    }

    /** Creates a queue pair that is not connected, with memory and a completion queue. */
    private QpEnd newEnd(QpType type, @Nullable SharedReceiveQueue receives) throws VerbsException {
        MemoryRegion region = newRegion(pd);
        CompletionQueue cq = scope.opened(device.createCq(CqInitAttributes.ofCapacity(2 * END_REQUESTS)));
        QpInitAttributes attributes = QpInitAttributes.builder()
                .type(type)
                .sendCq(cq)
                .receiveCq(cq)
                .srq(receives)
                .capabilities(END_SIZES)
                .build();
        return newEnd(scope.opened(pd.createQp(attributes)), region);
    }

    private QpEnd newEnd(QueuePair qp, MemoryRegion region) {
        QpEnd end = new QpEnd(this, qp, region);
        ends.add(end);
        return end;
    }

    List<QpEnd> ends() {
        return ends;
    }

    @Override
    public String toString() {
        return name;
    }
}
