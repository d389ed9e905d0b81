package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Ipv4Header;
import dev.verbena.wire.Ipv6Header;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.UdpHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A port of a {@link UdpFabric}: its endpoints, and one thread that receives for all of them. The thread calls the receiver;
 * sending happens in the sender's thread and never waits.
 */
final class UdpPort implements FabricPort {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** How many datagrams of one socket are taken before it is the next one's turn. */
    private static final int BURST = 64;

    /** What a sender's hop limit and traffic class were is not to be seen; the ICRC leaves them out. */
    private static final int UNSEEN_HOP_LIMIT = 64;

    /** Where the BTH begins. */
    private static final int IPV4_START = Ipv4Header.LENGTH + UdpHeader.LENGTH;

    private static final int IPV6_START = Ipv6Header.LENGTH + UdpHeader.LENGTH;

    private static final System.Logger LOGGER = System.getLogger(UdpPort.class.getName());

    private static final long PAUSE_AFTER_ERROR_NANOS = 1_000_000;

    private final UdpFabric fabric;
    private final String name;
    private final List<Endpoint> endpoints;
    private final PacketReceiver receiver;
    private final UdpCounters counters;
    private final PeerIdentifications identifications;
    private final Selector selector;
    private final Thread thread;
    private final Map<Gid, Endpoint> groups = new LinkedHashMap<>();

    /** The endpoints and, behind them, the groups; replaced as a whole. */
    private volatile Endpoint[] sources;

    private volatile boolean closed;
    private volatile int mtu;

    UdpPort(UdpFabric fabric, String name, List<Endpoint> endpoints, PacketReceiver receiver) throws IOException {
        this.fabric = fabric;
        this.name = name;
        this.endpoints = List.copyOf(endpoints);
        this.receiver = receiver;
        counters = fabric.counters();
        identifications = new PeerIdentifications(counters);
        selector = Selector.open();
        for (Endpoint endpoint : endpoints) {
            endpoint.socket().channel().register(selector, SelectionKey.OP_READ);
        }
        sources = endpoints.toArray(Endpoint[]::new);
        mtu = smallestMtu();
        thread = Thread.ofPlatform().daemon().name("verbena-udp-" + name).unstarted(this::receive);
    }

    void start() {
        thread.start();
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    @Override
    public SimPacket newPacket() {
        return fabric.pool().take();
    }

    @Override
    public void send(SimPacket packet) {
        Endpoint source = endpointOf(packet.sourceHi(), packet.sourceLo());
        if (source == null) {
            drop(packet, UdpCounter.DROPPED_NO_SOURCE);
        } else if (packet.length() > mtu) {
            drop(packet, UdpCounter.DROPPED_OVERSIZED);
        } else {
            send(packet, source);
        }
    }

    private void send(SimPacket packet, Endpoint source) {
        UdpSocket socket = source.sender(packet.udpHeader().sourcePort());
        // What a fault has altered stays as it is: a right ICRC would hide it.
        if (packet.trusted()) {
            packet.udpHeader().sourcePort(socket.port());
            packet.seal();
        }
        ByteBuffer bytes = packet.buffer().position(packet.bthOffset());
        int trafficClass = packet.ipv6()
                ? packet.ipv6Header().trafficClass()
                : packet.ipv4Header().trafficClass();
        UdpCounter outcome;
        try {
            InetSocketAddress to = fabric.endpoints().find(packet.destinationHi(), packet.destinationLo());
            outcome = socket.send(bytes, to, trafficClass) ? UdpCounter.SENT : UdpCounter.DROPPED_BUFFER_FULL;
        } catch (IOException e) {
            outcome = UdpCounter.DROPPED_SEND_FAILED;
        }
        drop(packet, outcome);
    }

    private void drop(SimPacket packet, UdpCounter reason) {
        counters.count(reason);
        packet.release();
    }

    private @Nullable Endpoint endpointOf(long hi, long lo) {
        for (int i = 0; i < endpoints.size(); i++) {
            if (endpoints.get(i).is(hi, lo)) {
                return endpoints.get(i);
            }
        }
        return null;
    }

    /** A group has a socket of its own, bound to its address: one bound to an address of the port gets no group's packets. */
    @Override
    public void join(Gid group) throws VerbsException {
        synchronized (groups) {
            if (closed || groups.containsKey(group)) {
                return;
            }
            InetSocketAddress own = endpoints.stream()
                    .filter(endpoint -> endpoint.gid().isIpv4() == group.isIpv4())
                    .findFirst()
                    .orElseThrow(() -> new VerbsException(
                            Errno.EADDRNOTAVAIL,
                            "ibv_attach_mcast",
                            "port " + name + " has no address of the IP version of group " + group))
                    .socket()
                    .address();
            InetSocketAddress address = fabric.endpoints().find(group.high(), group.low());
            try {
                UdpSocket socket = UdpSocket.openGroup(address, own);
                socket.channel().register(selector, SelectionKey.OP_READ);
                groups.put(group, new Endpoint(group, socket, false, counters));
                publish();
            } catch (IOException | UnsupportedOperationException e) {
                throw new VerbsException(
                        Errno.EADDRNOTAVAIL,
                        "ibv_attach_mcast",
                        "port " + name + " cannot join group " + group + " at " + address + " through the interface of "
                                + own + ": " + e.getMessage(),
                        e);
            }
        }
    }

    @Override
    public void leave(Gid group) {
        synchronized (groups) {
            Endpoint member = groups.remove(group);
            if (member != null) {
                member.close();
                publish();
            }
        }
    }

    private void publish() {
        List<Endpoint> all = new ArrayList<>(endpoints);
        all.addAll(groups.values());
        sources = all.toArray(Endpoint[]::new);
        selector.wakeup();
    }

    @Override
    public int mtu() {
        mtu = smallestMtu();
        return mtu;
    }

    private int smallestMtu() {
        return endpoints.stream()
                .mapToInt(endpoint -> endpoint.socket().mtu())
                .min()
                .orElseThrow();
    }

    private void receive() {
        while (!closed) {
            try {
                selector.select(key -> {});
                for (Endpoint source : sources) {
                    takeBurst(source);
                }
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException e) {
                // Such as what ICMP reports; the socket still works. No loop without a pause, though, if it does not.
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
            }
        }
    }

    private void takeBurst(Endpoint endpoint) throws IOException {
        int taken = 0;
        while (taken < BURST && !closed && takeOne(endpoint)) {
            taken++;
        }
    }

    /** Takes one datagram and hands it to the receiver; false if there was none. */
    private boolean takeOne(Endpoint endpoint) throws IOException {
        SimPacket packet = newPacket();
        boolean received = false;
        try {
            int start = endpoint.gid().isIpv4() ? IPV4_START : IPV6_START;
            ByteBuffer buffer = packet.buffer().limit(packet.capacity()).position(start);
            InetSocketAddress sender = endpoint.socket().receive(buffer);
            if (sender == null) {
                return false;
            }
            counters.count(UdpCounter.RECEIVED);
            received = describe(packet, endpoint, sender, buffer);
        } finally {
            if (!received) {
                packet.release();
            }
        }
        if (received) {
            deliver(packet);
        }
        return true;
    }

    /** Writes the headers that the socket did not show, and checks what only here can be checked. */
    private boolean describe(SimPacket packet, Endpoint endpoint, InetSocketAddress sender, ByteBuffer buffer) {
        if (!buffer.hasRemaining()) {
            counters.count(UdpCounter.DROPPED_TOO_LONG);
            return false;
        }
        Gid from = endpoint.gidOf(sender, fabric.endpoints());
        Gid to = endpoint.gid();
        if (from.isIpv4() != to.isIpv4()) {
            counters.count(UdpCounter.DROPPED_FOREIGN);
            return false;
        }
        packet.begin(from.high(), from.low(), to.high(), to.low(), sender.getPort(), 0, UNSEEN_HOP_LIMIT);
        int length = buffer.position() - packet.bthOffset();
        packet.received(length);
        boolean checked =
                !packet.ipv6() && packet.parse(packet.length()) == PacketDefect.OK && identifications.isIntact(packet);
        packet.trusted(checked);
        if (!checked) {
            // Whoever looks at it next finds out what is wrong, and counts it.
            packet.received(length);
        }
        return true;
    }

    private void deliver(SimPacket packet) {
        try {
            receiver.onPacket(packet);
        } catch (Throwable failure) {
            // As for a task of the runtime: the thread goes on.
            Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
            handler.uncaughtException(thread, failure);
        }
    }

    /** Closes the sockets, and returns when nothing is received any more; but a receiver may close its own port. */
    @Override
    public void close() {
        synchronized (groups) {
            closed = true;
            groups.values().forEach(Endpoint::close);
            groups.clear();
        }
        endpoints.forEach(Endpoint::close);
        fabric.detach(this);
        closeSelector();
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Only then are the descriptors of the sockets gone. */
    private void closeSelector() {
        try {
            selector.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the selector of " + name, e);
        }
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return name;
    }
}
