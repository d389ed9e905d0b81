// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LndHost;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.verbs.Errno;
import org.jspecify.annotations.Nullable;

/**
 * Starts and finalizes LNet messages to a peer. A payload of up to {@code MAX_IMMEDIATE} bytes is sent in an IMMEDIATE
 * message. A payload of more than {@code MAX_IMMEDIATE} bytes is transferred by RDMA. Callers of this class must hold the
 * lock of the CPU partition. Source: {@code kiblnd_send}, {@code kiblnd_tx_done}.
 */
final class SendFlow {

    private SendFlow() {}

    /** Sends a message, or queues it until earlier messages to the peer are finalized. Returns 0 or a negative errno. */
    static int send(LnetMessage message, Peer peer) {
        return peer.hasDelayed() || !peer.hasRoom() ? delay(message, peer) : start(message, peer);
    }

    /**
     * Queues a message. If more than {@link DelayedMessages#MAX_ANSWERS} ACKs and REPLYs would be queued, closes the
     * connections of the peer, which sends requests but accepts no responses. Returns 0 or a negative errno.
     */
    private static int delay(LnetMessage message, Peer peer) {
        if (peer.delayed()
                .add(
                        message,
                        peer.cpt().now() + peer.context().tunables().timeout().toNanos())) {
            return 0;
        }
        peer.closeAll(-Errno.ENOBUFS.number(), connection -> true);
        return -Errno.ENOBUFS.number();
    }

    /** Starts queued messages to a peer after an earlier message to the peer was finalized. */
    private static void startDelayed(Peer peer) {
        if (!peer.hasDelayed() || !peer.delayed().beginStarting()) {
            return;
        }
        try {
            while (peer.isLinked() && peer.hasRoom()) {
                @Nullable LnetMessage message = peer.delayed().poll();
                if (message == null) {
                    return;
                }
                int status = peer.ni().isDown() ? -Errno.EHOSTUNREACH.number() : start(message, peer);
                if (status < 0) {
                    peer.context().host().complete(message, status, HealthClass.ofRefusal(status));
                }
            }
        } finally {
            peer.delayed().endStarting();
        }
    }

    /** Returns the o2iblnd message type for an LNet message. */
    static MessageType typeOf(LnetMessage message) {
        return switch (message.type()) {
            case ACK -> MessageType.IMMEDIATE;
            case PUT, REPLY ->
                message.payloadLength() <= Protocol.MAX_IMMEDIATE ? MessageType.IMMEDIATE : MessageType.PUT_REQ;
            case GET -> message.sink().length() <= Protocol.MAX_IMMEDIATE ? MessageType.IMMEDIATE : MessageType.GET_REQ;
            case HELLO -> throw new IllegalArgumentException("this driver does not send HELLO");
        };
    }

    private static int start(LnetMessage message, Peer peer) {
        Partition partition = peer.partition();
        LndHost host = peer.context().host();
        MessageType type = typeOf(message);
        @Nullable TxDescriptor tx = partition.transmits().take(type);
        if (tx == null) {
            return -Errno.ENOMEM.number();
        }
        int status;
        try {
            status = fill(tx, type, partition, host, message);
        } catch (RuntimeException | Error e) {
            partition.release(tx, 0, false);
            host.complete(message, -Errno.EIO.number(), HealthClass.LOCAL_ERROR);
            throw e;
        }
        if (status < 0) {
            partition.release(tx, 0, false);
            return status;
        }
        message.writeHeader(tx.message().lnetHeader());
        peer.launch(tx);
        return 0;
    }

    /** Sets the LNet message of a transmit descriptor, and its payload or RDMA transfer. Returns 0 or a negative errno. */
    private static int fill(TxDescriptor tx, MessageType type, Partition partition, LndHost host, LnetMessage message) {
        return switch (type) {
            case PUT_REQ -> fillPut(tx, partition, message);
            case GET_REQ -> fillGet(tx, partition, host, message);
            default -> fillImmediate(tx, partition, message);
        };
    }

    private static int fillImmediate(TxDescriptor tx, Partition partition, LnetMessage message) {
        long length = message.payloadLength();
        try {
            message.payload()
                    .copyOut(
                            message.payloadOffset(),
                            partition.memory().segment(),
                            tx.offset() + LndMessage.IMMEDIATE_PAYLOAD,
                            length);
        } catch (IllegalStateException e) {
            return -Errno.EFAULT.number();
        }
        tx.message().payloadLength(length);
        tx.completes(message, null);
        return 0;
    }

    private static int fillPut(TxDescriptor tx, Partition partition, LnetMessage message) {
        int status = partition.prepareSource(tx, message.payload(), message.payloadOffset(), message.payloadLength());
        if (status < 0) {
            return status;
        }
        tx.message().requestCookie(tx.cookie());
        tx.completes(message, null);
        return 0;
    }

    private static int fillGet(TxDescriptor tx, Partition partition, LndHost host, LnetMessage message) {
        PayloadVector sink = message.sink();
        @Nullable RdmaTransfer transfer = partition.transfers().sink(sink, 0, sink.length());
        if (transfer == null) {
            return -Errno.ENOMEM.number();
        }
        tx.transfer(transfer);
        @Nullable LnetMessage reply = host.createReply(message);
        if (reply == null) {
            return -Errno.EIO.number();
        }
        tx.message().requestCookie(tx.cookie());
        tx.completes(message, reply);
        return 0;
    }

    /** Frees the transmit descriptor, and then finalizes its LNet messages, even if freeing throws an exception. */
    static void done(TxDescriptor tx, Partition partition, Peer peer) {
        int status = tx.status();
        HealthClass health = tx.health();
        try {
            partition.release(tx, status == 0 ? tx.arrived() : 0, status < 0);
        } catch (IllegalStateException e) {
            status = -Errno.EFAULT.number();
            health = HealthClass.LOCAL_ERROR;
        } finally {
            report(tx, peer, status, health);
        }
    }

    private static void report(TxDescriptor tx, Peer peer, int status, HealthClass health) {
        @Nullable LnetMessage first = tx.first();
        @Nullable LnetMessage second = tx.second();
        boolean charged = peer.discharge(tx);
        LndHost host = peer.context().host();
        if (first != null) {
            host.complete(first, status, health);
        }
        if (second != null) {
            host.complete(second, status, health);
        }
        if (charged) {
            startDelayed(peer);
        }
    }
}
