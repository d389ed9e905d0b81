// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.lnet.Lnd;
import dev.verbena.lnet.LndHost;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ReceiveHandle;
import dev.verbena.spi.callerruns.CallerRuns;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The o2ib LNet driver (LND) of a node. The LND passes each message and event to the CPU partition that the peer's NID
 * selects. Source: {@code the_o2iblnd}, {@code kiblnd_cm_callback}.
 */
final class O2ibLnd implements Lnd {

    private final NodeContext context;
    private final List<Peers> partitions = new ArrayList<>();
    private final Acceptor acceptor;
    private final Failover failover;

    /** The new LND owns the listener and its device. The constructor allocates only memory and a protection domain. */
    O2ibLnd(
            Nid nid,
            InetAddress address,
            O2ibTunables tunables,
            ConnectionManager manager,
            EventChannel channel,
            ConnectionId listener,
            Device device,
            LndHost host)
            throws VerbsException {
        CallerRuns callerRuns = CallerRuns.of(device);
        List<Cpt> cpts = new ArrayList<>();
        for (int i = 0; i < tunables.cpuPartitions(); i++) {
            cpts.add(new Cpt(i, device.runtime()::nanoTime, callerRuns, tunables.nscheds()));
        }
        NetworkInterface ni = new NetworkInterface(nid, address, tunables, manager, channel, cpts, listener, device);
        context = new NodeContext(tunables, device.runtime(), manager, channel, host, List.copyOf(cpts), List.of(ni));
        try {
            cpts.forEach(cpt -> partitions.add(new Peers(context, cpt)));
            acceptor = new Acceptor(context, partitions);
            failover = new Failover(context, ni, partitions);
        } catch (RuntimeException | Error e) {
            new Cleanup(e).step(ni::close);
            throw e;
        }
    }

    NodeContext context() {
        return context;
    }

    List<Peers> partitions() {
        return partitions;
    }

    Failover failover() {
        return failover;
    }

    Stream<HcaDevice> hcas() {
        return context.interfaces().stream().flatMap(ni -> ni.hcas().stream());
    }

    @Override
    public int send(LnetMessage message) {
        Peers peers = partitions.get(context.cpt(message.nextHop()).index());
        Cpt cpt = peers.cpt();
        synchronized (cpt.lock()) {
            cpt.clock().begin();
            try {
                return send(message, peers);
            } finally {
                cpt.clock().end();
            }
        }
    }

    private int send(LnetMessage message, Peers peers) {
        NetworkInterface ni = context.interfaces().getFirst();
        if (message.type() == LnetMessageType.HELLO) {
            return -Errno.EPROTO.number();
        }
        if (ni.isShutdown()) {
            return -Errno.ENETDOWN.number();
        }
        if (ni.isDown()) {
            return -Errno.EHOSTUNREACH.number();
        }
        return peers.send(message, ni);
    }

    @Override
    public int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered) {
        RxDescriptor rx = (RxDescriptor) handle;
        synchronized (rx.connection().cpt().lock()) {
            return ReceiveFlow.receive(rx, message, wanted, offered);
        }
    }

    /** This method acquires the lock of the peer's CPU partition. */
    void onEvent(CmEvent event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> acceptor.onRequest(event);
            case DEVICE_REMOVAL -> deviceRemoved(event.id());
            default -> {
                if (event.id().context() instanceof Connection connection) {
                    Cpt cpt = connection.cpt();
                    synchronized (cpt.lock()) {
                        partitions.get(cpt.index()).establisher().onEvent(connection, event);
                    }
                }
            }
        }
    }

    /** Starts the failover if failover is enabled and an LNet NI uses the removed device. */
    private void deviceRemoved(ConnectionId id) {
        for (NetworkInterface ni : context.interfaces()) {
            HcaDevice hca = ni.hca();
            if (context.tunables().failover()
                    && id.device().filter(hca.device()::equals).isPresent()) {
                ni.deviceLost(hca);
                return;
            }
        }
        context.cpts().getFirst().ignored();
    }

    void abandon() {
        for (Peers peers : partitions) {
            synchronized (peers.cpt().lock()) {
                peers.establisher().abandon(-Errno.ECONNABORTED.number());
                peers.abandon(0);
            }
        }
    }

    boolean isIdle() {
        if (!failover.isIdle()) {
            return false;
        }
        for (Peers peers : partitions) {
            synchronized (peers.cpt().lock()) {
                if (!peers.isIdle()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Destroys all connections, even if requests are posted. The caller must not hold the lock of a CPU partition. */
    void destroyAll(Cleanup cleanup) {
        partitions.forEach(peers -> peers.daemon().destroyAll(cleanup));
        partitions.forEach(peers -> peers.daemon().stop());
    }

    /** The caller must destroy all connections before this call. */
    void close() throws VerbsException {
        context.cpts().forEach(cpt -> cpt.scheduler().stop());
        Cleanup cleanup = new Cleanup(null);
        context.interfaces().forEach(ni -> cleanup.step(ni::close));
        cleanup.end();
    }
}
