// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.cm.MadPort;
import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.counters.DeviceCounters;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.qp.PacketQueue;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.UdpSourcePort;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** QP1, the general services interface: sends and receives MADs, which are datagrams of 256 bytes with a fixed Q_Key. */
final class GsiPort implements MadPort, QpIntake {
    static final int QPN = 1;

    private static final int MAD_LENGTH = 256;
    private static final int HOP_LIMIT = 64;

    private final SimPort port;
    private final SimRuntime runtime;
    private final DeviceCounters counters;
    private final PacketQueue arrived = new PacketQueue();
    private final ProgressTask task;
    private final boolean migrated;

    private final AtomicInteger nextPsn = new AtomicInteger();
    private volatile @Nullable Receiver receiver;

    GsiPort(SimPort port, SimRuntime runtime, DeviceCounters counters, boolean migrated) {
        this.port = port;
        this.runtime = runtime;
        this.counters = counters;
        this.migrated = migrated;
        task = runtime.newProgressTask(this::deliverOne);
    }

    @Override
    public void send(Gid source, Gid destination, MemorySegment mad) {
        SimPacket packet = port.newPacket();
        packet.begin(
                source.high(),
                source.low(),
                destination.high(),
                destination.low(),
                UdpSourcePort.forQpn(QPN),
                0,
                HOP_LIMIT);
        packet.beginTransport(Opcode.UD_SEND_ONLY)
                .migrationRequest(migrated)
                .destinationQpn(QPN)
                .psn(nextPsn.getAndUpdate(Psn::next));
        packet.deth().initialize(Deth.GSI_QUEUE_KEY, QPN);
        packet.payloadLength(MAD_LENGTH);
        MemorySegment.copy(mad, 0, packet.segment(), packet.payloadOffset(), MAD_LENGTH);
        port.send(packet);
    }

    @Override
    public void receiver(Receiver newReceiver) {
        receiver = newReceiver;
    }

    /** Queues a packet for the task that calls {@code onMad}, so that {@code onMad} never runs within a peer's send. */
    @Override
    public void onPacket(SimPacket packet) {
        counters.received(packet.length());
        if (arrived.add(packet)) {
            task.schedule();
        } else {
            counters.count(Counter.DROPPED_BACKLOG);
        }
    }

    @Override
    public @Nullable Counter check(SimPacket packet) {
        if (packet.opcode() != Opcode.UD_SEND_ONLY) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        if (!HeaderChecks.hasDefaultPkey(packet)) {
            return Counter.DROPPED_PKEY;
        }
        if (packet.queueKey() != Deth.GSI_QUEUE_KEY) {
            return Counter.DROPPED_QKEY;
        }
        if (packet.payloadLength() != MAD_LENGTH) {
            return Counter.DROPPED_MALFORMED;
        }
        return receiver == null ? Counter.DROPPED_UNMANAGED : null;
    }

    private boolean deliverOne() {
        SimPacket packet = arrived.poll();
        if (packet == null) {
            return false;
        }
        Receiver taker = receiver;
        try {
            if (taker != null) {
                taker.onMad(
                        new Gid(packet.route().sourceHi(), packet.route().sourceLo()),
                        new Gid(packet.route().destinationHi(), packet.route().destinationLo()),
                        packet.segment().asSlice(packet.payloadOffset(), MAD_LENGTH));
            }
        } catch (Throwable thrown) {
            // If `onMad` throws an exception, the task still delivers the later MADs.
            runtime.failed(thrown);
        } finally {
            packet.release();
        }
        return true;
    }

    void close() {
        task.disable();
        arrived.close();
    }
}
