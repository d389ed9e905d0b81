// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A GID of a device port, and the UDP sockets of the GID. One socket receives the packets sent to the GID; one or more
 * sockets send packets from the GID. The UDP source port of a packet depends on the packet's flow, because switches
 * distribute flows over several paths by their UDP source port.
 *
 * <p>Each socket has one UDP source port. Flows that differ in the lowest six bits of their UDP source port have separate
 * sockets, opened at first use; other flows share a socket. If {@link UdpFabric#endpoint(Gid, InetSocketAddress)} has
 * mapped the GID, the receiving socket also sends all packets of the GID. Peers identify a mapped GID by the UDP source
 * port of its packets.
 */
final class Endpoint implements AutoCloseable {
    private static final int FLOWS = 64;

    private final Gid gid;
    private final UdpSocket socket;
    private final boolean byFlow;
    private final UdpCounters counters;
    private final AtomicReferenceArray<@Nullable UdpSocket> flows = new AtomicReferenceArray<>(FLOWS);
    private boolean closed;

    /**
     * The sender of the last received datagram, and the GID of the sender's address. Only the receiving thread uses these
     * fields.
     */
    private EndpointTable.@Nullable Known lastKnown;

    private @Nullable InetSocketAddress lastSender;
    private Gid lastGid = Gid.ZERO;

    Endpoint(Gid gid, UdpSocket socket, boolean byFlow, UdpCounters counters) {
        this.gid = gid;
        this.socket = socket;
        this.byFlow = byFlow;
        this.counters = counters;
    }

    Gid gid() {
        return gid;
    }

    UdpSocket socket() {
        return socket;
    }

    boolean is(long hi, long lo) {
        return gid.low() == lo && gid.high() == hi;
    }

    /** Returns the socket for packets whose flow has the UDP source port {@code flowPort}. */
    UdpSocket sender(int flowPort) {
        if (!byFlow) {
            return socket;
        }
        UdpSocket known = flows.getAcquire(flowPort & (FLOWS - 1));
        return known != null ? known : openFlow(flowPort);
    }

    private synchronized UdpSocket openFlow(int flowPort) {
        int slot = flowPort & (FLOWS - 1);
        UdpSocket flow = flows.get(slot);
        if (flow != null || closed) {
            return flow != null ? flow : socket;
        }
        try {
            flow = UdpSocket.open(new InetSocketAddress(socket.address().getAddress(), flowPort));
            if (socket.hasDescriptor()) {
                flow.findDescriptor();
            }
            counters.count(UdpCounter.FLOW_SOCKETS);
        } catch (IOException e) {
            counters.count(UdpCounter.FLOW_PORTS_TAKEN);
            flow = socket;
        }
        flows.setRelease(slot, flow);
        return flow;
    }

    /** Returns the GID of a sender's address. Only the receiving thread may call this method. */
    Gid gidOf(InetSocketAddress sender, EndpointTable table) {
        EndpointTable.Known known = table.known();
        if (!sender.equals(lastSender) || known != lastKnown) {
            lastGid = table.gidOf(sender);
            lastSender = sender;
            lastKnown = known;
        }
        return lastGid;
    }

    @Override
    public synchronized void close() {
        closed = true;
        socket.close();
        for (int slot = 0; slot < FLOWS; slot++) {
            UdpSocket flow = flows.get(slot);
            if (flow != null) {
                flow.close();
            }
        }
    }
}
