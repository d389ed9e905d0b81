// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.PacketReceiver;
import dev.verbena.sim.fabric.Route;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A device port of a {@link UdpFabric}, with one or more {@link Endpoint} objects (GID and UDP sockets) and one receive
 * thread. The receive thread, or a thread that polls a completion queue, passes the packets to the {@link PacketReceiver}.
 * A sending thread itself passes packets to the operating system, and never waits for room in a socket buffer.
 */
final class UdpPort implements FabricPort {
    private static final System.Logger LOGGER = System.getLogger(UdpPort.class.getName());

    private final UdpFabric fabric;
    private final String name;
    private final List<Endpoint> endpoints;
    private final UdpCounters counters;
    private final DatagramReceiver datagrams;
    private final TxQueue txQueue;
    private final Selector selector;
    private final SocketPoller poller;
    private final Map<Gid, Endpoint> groups = new LinkedHashMap<>();

    /** The port's endpoints (GIDs), then one for each multicast group. Joining or leaving a group replaces this array. */
    private volatile Endpoint[] sources;

    private volatile boolean closed;
    private volatile int mtu;

    UdpPort(UdpFabric fabric, String name, List<Endpoint> endpoints, PacketReceiver receiver, DatagramBatching batching)
            throws IOException {
        this.fabric = fabric;
        this.name = name;
        this.endpoints = List.copyOf(endpoints);
        counters = fabric.counters();
        datagrams = new DatagramReceiver(fabric, receiver, batching);
        txQueue = new TxQueue(counters, batching);
        sources = endpoints.toArray(Endpoint[]::new);
        mtu = smallestMtu();
        selector = Selector.open();
        poller = new SocketPoller(name, selector, new Sockets(), fabric.waitPolicy());
    }

    private void watch(UdpSocket socket) throws IOException {
        socket.channel().register(selector, SelectionKey.OP_READ, socket);
    }

    /** Starts the receive thread. After a failed start, the selector is closed, but the sockets are still open. */
    void start() throws IOException {
        boolean started = false;
        try {
            for (Endpoint endpoint : endpoints) {
                watch(endpoint.socket());
            }
            poller.start();
            started = true;
        } finally {
            if (!started) {
                closeSelector();
            }
        }
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
        // Pending acknowledgements are sent before the packet, because responses must stay in order. A packet may end a
        // connection, and ACKs of this connection must precede that packet.
        drain();
        add(packet);
        flush();
    }

    @Override
    public void add(SimPacket packet) {
        if (packet.hasFields() && packet.length() <= mtu && txQueue.follow(packet, addressOf(packet.route()))) {
            return;
        }
        packet.encode();
        Endpoint source = endpointOf(packet.sourceHi(), packet.sourceLo());
        if (source == null) {
            drop(packet, UdpCounter.DROPPED_NO_SOURCE);
        } else if (packet.length() > mtu) {
            drop(packet, UdpCounter.DROPPED_OVERSIZED);
        } else {
            UdpSocket socket = source.sender(packet.udpHeader().sourcePort());
            txQueue.add(packet, socket, fabric.endpoints().find(packet.destinationHi(), packet.destinationLo()));
        }
    }

    private InetSocketAddress addressOf(Route way) {
        return fabric.endpoints().find(way.destinationHi(), way.destinationLo());
    }

    /**
     * Sends the queued packets, unless the calling thread is processing a burst of received packets. A thread that
     * processes a burst of received packets sends the queued packets at the end of the burst.
     */
    @Override
    public void flush() {
        if (poller.isReceiving()) {
            return;
        }
        if (poller.isPoller()) {
            txQueue.flushUrgent();
        } else {
            txQueue.flush();
        }
    }

    @Override
    public void drain() {
        txQueue.flush();
    }

    /** {@return true: zero-copy payloads are allowed, because {@link #add} copies them before it returns} */
    @Override
    public boolean carriesZeroCopy() {
        return true;
    }

    @Override
    public boolean needsPolling() {
        return true;
    }

    @Override
    public boolean progress() {
        return poller.poll();
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

    /** Opens a socket at the multicast group's address; the port's other sockets receive no packets of the group. */
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
                watch(socket);
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

    @Override
    public int mtu(Gid destination) {
        return Math.min(mtu(), UdpSocket.mtu(fabric.endpoint(destination).getAddress()));
    }

    private int smallestMtu() {
        return endpoints.stream()
                .mapToInt(endpoint -> UdpSocket.mtu(endpoint.socket().address().getAddress()))
                .min()
                .orElseThrow();
    }

    /** The sockets of the port, for {@link SocketPoller}. */
    private final class Sockets implements SocketPoller.Sockets {
        @Override
        public void announced(SelectionKey key) {
            ((UdpSocket) key.attachment()).announced();
        }

        /** Receives from all sockets. If a socket fails, this method still receives from the other sockets of the port. */
        @Override
        public boolean take() throws IOException {
            boolean any = false;
            IOException failure = null;
            for (Endpoint source : sources) {
                try {
                    any |= !closed && datagrams.take(source);
                } catch (IOException e) {
                    failure = e;
                    onFailure(source.socket(), e);
                }
            }
            int response = datagrams.lastResponse();
            if (response != DatagramReceiver.NO_RESPONSE) {
                txQueue.onResponse(response);
            }
            if (failure != null) {
                throw failure;
            }
            return any;
        }

        private void onFailure(UdpSocket socket, IOException failure) {
            if (socket.isLost()) {
                counters.count(UdpCounter.SOCKETS_LOST);
                SelectionKey key = socket.channel().keyFor(selector);
                if (key != null) {
                    // Otherwise the selector might select the failed socket as readable in every call of `select`.
                    key.cancel();
                }
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "port " + name + " can no longer receive at " + socket + "; close and open its device: "
                                + failure.getMessage());
            } else if (socket.isOpen()) {
                counters.count(UdpCounter.RECEIVE_ERRORS);
            }
        }

        @Override
        public void failed(Throwable thrown) {
            fabric.failed(thrown);
        }

        @Override
        public void flush() {
            txQueue.flush();
        }

        @Override
        public void flushHeld() {
            txQueue.flushHeld();
        }

        @Override
        public void endPoll(boolean any) {
            txQueue.endPoll(any);
        }

        @Override
        public long sent() {
            return txQueue.sent();
        }
    }

    /**
     * Closes the sockets. After {@code close} has returned, the port no longer calls its {@link PacketReceiver}. If the
     * {@code PacketReceiver} itself closes the port, the port may still call it until the current poll of the sockets ends.
     */
    @Override
    public void close() {
        // Before it closes, the port sends its pending acknowledgements. A peer that misses an ACK would retransmit
        // packets that the application has already seen.
        drain();
        synchronized (groups) {
            closed = true;
            groups.values().forEach(Endpoint::close);
            groups.clear();
        }
        endpoints.forEach(Endpoint::close);
        fabric.detach(this);
        closeSelector();
        poller.close();
    }

    /** Closes the selector, so that the JDK releases the file descriptors of closed sockets. */
    private void closeSelector() {
        try {
            selector.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the selector of " + name, e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
