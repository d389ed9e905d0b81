// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.engine.ConnectionEngine;
import dev.verbena.lnd.engine.RepostEffect;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Handles received messages, and transfers a payload when LNet requests the transfer. Callers of this class must hold the
 * lock of the CPU partition. Source: {@code kiblnd_rx_complete}, {@code kiblnd_handle_rx}, {@code kiblnd_recv}.
 */
final class ReceiveFlow {

    /**
     * A {@link LndMessage} for the message that a thread is handling. Each thread has its own {@code LndMessage},
     * because writing to a shared one would cause cache misses in other threads.
     */
    private static final ThreadLocal<LndMessage> HANDLED = ThreadLocal.withInitial(LndMessage::new);

    private ReceiveFlow() {}

    /** Handles a received message, or queues it if the connection is not established yet. */
    static void arrived(RxDescriptor rx) {
        Connection connection = rx.connection();
        switch (connection.state()) {
            case ACTIVE_CONNECT, PASSIVE_WAIT -> {
                connection.early().add(rx);
                confirm(connection);
            }
            case ESTABLISHED -> check(rx, connection);
            case INIT, CLOSING, DISCONNECTED, DESTROYED -> {}
        }
    }

    /** If a message arrives before the RTU, notifies the CM that the connection is established. */
    private static void confirm(Connection connection) {
        if (connection.state() == ConnectionState.PASSIVE_WAIT) {
            try {
                connection.id().notifyEstablished();
            } catch (VerbsException e) {
                connection.cpt().counters().ignored();
            }
        }
    }

    /**
     * Handles the messages that arrived before the connection was established. Even after a failed connection attempt, this
     * method handles the messages, because the device has already acknowledged them.
     */
    static void early(Connection connection) {
        while (connection.state() != ConnectionState.CLOSING
                && !connection.early().isEmpty()) {
            check(connection.early().remove(), connection);
        }
    }

    private static void check(RxDescriptor rx, Connection connection) {
        LndMessage message = HANDLED.get().wrap(connection.memory(), rx.offset());
        try {
            check(rx, connection, message);
        } finally {
            message.unwrap();
        }
    }

    private static void check(RxDescriptor rx, Connection connection, LndMessage message) {
        NetworkInterface ni = connection.peer().ni();
        LndCounters counters = connection.cpt().counters();
        MessageDefect defect = message.parse(rx.received());
        if (defect == MessageDefect.NONE) {
            defect = message.checkSession(ni.nid(), ni.incarnation(), connection.nid(), connection.peerStamp());
        }
        if (defect != MessageDefect.NONE) {
            counters.defect();
            connection.close(-defect.errno().number());
            return;
        }
        counters.received(message.type());
        if (!connection.engine().creditsReceived(message.header().credits(), connection.now())) {
            connection.close(-Errno.EPROTO.number());
            return;
        }
        handle(rx, connection, message);
    }

    private static void handle(RxDescriptor rx, Connection connection, LndMessage message) {
        switch (message.type()) {
            case NOOP -> connection.repost(rx, RepostEffect.NONE);
            case IMMEDIATE -> giveToLnet(rx, connection, message, false);
            case PUT_REQ, GET_REQ -> takeRequest(rx, connection, message);
            case PUT_ACK -> putAcknowledged(rx, connection, message);
            case PUT_NAK -> answered(rx, connection, message, MessageType.PUT_REQ, RepostEffect.RESERVED);
            case PUT_DONE -> answered(rx, connection, message, MessageType.PUT_ACK, RepostEffect.CREDIT);
            case GET_DONE -> answered(rx, connection, message, MessageType.GET_REQ, RepostEffect.RESERVED);
            case CONNREQ, CONNACK -> throw new IllegalStateException(message.type() + " passed the check for the QP");
        }
    }

    /**
     * Accepts a PUT_REQ only with the LNet header of a PUT or REPLY, and a GET_REQ only with the LNet header of a GET. A
     * PUT_REQ with the header of a GET is refused, because its data would overwrite memory that is read-only for peers. A
     * GET_REQ with the header of a PUT is refused, because the peer would read write-only memory.
     */
    private static void takeRequest(RxDescriptor rx, Connection connection, LndMessage message) {
        @Nullable LnetMessageType type = LnetMessageType.of(message.lnetHeader().typeCode());
        boolean fits = message.type() == MessageType.GET_REQ
                ? type == LnetMessageType.GET
                : type == LnetMessageType.PUT || type == LnetMessageType.REPLY;
        if (fits) {
            giveToLnet(rx, connection, message, true);
        } else {
            connection.close(-Errno.EPROTO.number());
        }
    }

    private static void giveToLnet(RxDescriptor rx, Connection connection, LndMessage message, boolean rdmaRequest) {
        connection.hold(rx);
        int status = connection.context().host().parse(message.lnetHeader(), connection.nid(), rx, rdmaRequest);
        if (status < 0) {
            connection.repost(rx, RepostEffect.CREDIT);
            connection.close(status);
        }
    }

    private static void answered(
            RxDescriptor rx, Connection connection, LndMessage message, MessageType request, RepostEffect effect) {
        ConnectionEngine<TxDescriptor> engine = connection.engine();
        @Nullable TxDescriptor tx = engine.findWaiting(request, message.completion().cookie());
        int status = message.completion().status();
        if (tx == null || !isPossible(tx, status)) {
            connection.repost(rx, effect);
            connection.close(-Errno.EPROTO.number());
            return;
        }
        @Nullable LnetMessage reply = tx.second();
        if (status >= 0) {
            tx.arrived(status);
            if (reply != null) {
                connection.context().host().replyLength(reply, status);
            }
        }
        engine.answered(tx, status);
        connection.repost(rx, effect);
    }

    /**
     * Returns whether {@code status} is a valid status in the response to the request {@code tx}. The status is a negative
     * errno or the number of transferred bytes.
     */
    private static boolean isPossible(TxDescriptor tx, int status) {
        @Nullable RdmaTransfer transfer = tx.transfer();
        long length = transfer == null ? 0 : transfer.length();
        return status < 0
                || switch (tx.type()) {
                    case PUT_REQ -> status == 0;
                    case PUT_ACK -> status == length;
                    default -> status <= length;
                };
    }

    private static void putAcknowledged(RxDescriptor rx, Connection connection, LndMessage message) {
        ConnectionEngine<TxDescriptor> engine = connection.engine();
        @Nullable TxDescriptor tx = engine.findWaiting(MessageType.PUT_REQ, message.sourceCookie());
        if (tx == null) {
            connection.repost(rx, RepostEffect.RESERVED);
            connection.close(-Errno.EPROTO.number());
            return;
        }
        engine.reclaim(tx);
        int status = plan(tx, connection, message, message.descriptor().totalLength());
        tx.become(MessageType.PUT_DONE);
        tx.fail(status, HealthClass.LOCAL_ERROR);
        tx.message().begin(MessageType.PUT_DONE).completion().set(message.sinkCookie(), status);
        connection.queue(tx);
        connection.repost(rx, RepostEffect.RESERVED);
    }

    /** Builds RDMA WRITEs to the peer's destination buffer. Returns the number of bytes to write, or a negative errno. */
    private static int plan(TxDescriptor tx, Connection connection, LndMessage message, long bytes) {
        @Nullable RdmaTransfer transfer = tx.transfer();
        if (transfer == null || bytes > transfer.length()) {
            return -Errno.EPROTO.number();
        }
        int status = plan(transfer, connection, message, bytes);
        if (status == -Errno.EMSGSIZE.number()) {
            status = connection.partition().joinSource(transfer);
            status = status < 0 ? status : plan(transfer, connection, message, bytes);
        }
        return status < 0 ? status : (int) bytes;
    }

    private static int plan(RdmaTransfer transfer, Connection connection, LndMessage message, long bytes) {
        return transfer.writes()
                .plan(
                        transfer.local(),
                        message.descriptor(),
                        bytes,
                        connection.partition().piecesPerWrite(),
                        connection.maxFragments());
    }

    /** Transfers a payload into the memory that LNet has chosen. If an exception is thrown, closes the connection. */
    static int receive(RxDescriptor rx, @Nullable LnetMessage message, long wanted, long offered) {
        try {
            return take(rx, message, wanted, offered);
        } catch (RuntimeException | Error e) {
            Connection connection = rx.connection();
            connection.close(-Errno.EIO.number());
            connection.repost(rx, RepostEffect.NONE);
            throw e;
        }
    }

    private static int take(RxDescriptor rx, @Nullable LnetMessage message, long wanted, long offered) {
        @Nullable LndMessage arrived = messageIn(rx);
        if (arrived == null) {
            Connection connection = rx.connection();
            connection.repost(rx, RepostEffect.CREDIT);
            connection.close(-Errno.EPROTO.number());
            return -Errno.EPROTO.number();
        }
        return switch (arrived.type()) {
            case PUT_REQ -> receivePut(rx, arrived, message, wanted);
            case GET_REQ -> serveGet(rx, arrived, message, wanted);
            default -> receiveImmediate(rx, arrived, message, wanted, offered);
        };
    }

    /**
     * Returns the message in a receive buffer. If LNet queued the message for a lazy portal, this method parses the receive
     * buffer again. LNet queues only PUTs, which arrive as IMMEDIATE or PUT_REQ. If the buffer no longer contains a valid
     * IMMEDIATE or PUT_REQ, the peer has overwritten the buffer, and this method returns null.
     */
    private static @Nullable LndMessage messageIn(RxDescriptor rx) {
        LndMessage message = HANDLED.get();
        MemorySegment memory = rx.connection().memory();
        if (message.isOver(memory, rx.offset())) {
            return message;
        }
        LndMessage kept = new LndMessage().wrap(memory, rx.offset());
        boolean sound = kept.parse(rx.received()) == MessageDefect.NONE;
        return sound && (kept.type() == MessageType.IMMEDIATE || kept.type() == MessageType.PUT_REQ) ? kept : null;
    }

    private static int receiveImmediate(
            RxDescriptor rx, LndMessage arrived, @Nullable LnetMessage message, long wanted, long offered) {
        Connection connection = rx.connection();
        int status = 0;
        if (offered > arrived.payloadLength()) {
            status = -Errno.EPROTO.number();
        } else if (message != null) {
            status = copyPayload(rx, message, wanted);
            if (status == 0) {
                connection.context().host().complete(message, 0);
            }
        }
        connection.repost(rx, RepostEffect.CREDIT);
        return status;
    }

    private static int copyPayload(RxDescriptor rx, LnetMessage message, long wanted) {
        try {
            message.payload()
                    .copyIn(
                            message.payloadOffset(),
                            rx.connection().memory(),
                            rx.offset() + LndMessage.IMMEDIATE_PAYLOAD,
                            wanted);
            return 0;
        } catch (IllegalStateException e) {
            return -Errno.EFAULT.number();
        }
    }

    private static int receivePut(RxDescriptor rx, LndMessage arrived, @Nullable LnetMessage message, long wanted) {
        Connection connection = rx.connection();
        long cookie = arrived.requestCookie();
        if (message == null || wanted == 0) {
            if (message != null) {
                connection.context().host().complete(message, 0);
            }
            refuse(connection, MessageType.PUT_NAK, cookie, 0);
            connection.repost(rx, RepostEffect.CREDIT);
            return 0;
        }
        Partition partition = connection.partition();
        @Nullable RdmaTransfer transfer = null;
        @Nullable TxDescriptor tx = null;
        int status = -Errno.ENOMEM.number();
        try {
            transfer = partition.transfers().sink(message.payload(), message.payloadOffset(), wanted);
            tx = transfer == null ? null : partition.transmits().take(MessageType.PUT_ACK);
            if (transfer != null && tx != null) {
                status = connection.prepare(transfer);
            }
        } catch (RuntimeException | Error e) {
            release(partition, transfer, tx);
            connection.context().host().complete(message, -Errno.EIO.number());
            throw e;
        }
        if (transfer == null || tx == null || status < 0) {
            release(partition, transfer, tx);
            refuse(connection, MessageType.PUT_NAK, cookie, status);
            connection.repost(rx, RepostEffect.CREDIT);
            return status;
        }
        tx.transfer(transfer);
        tx.completes(message, null);
        tx.message().putAckCookies(cookie, tx.cookie());
        connection.queue(tx);
        connection.repost(rx, RepostEffect.NONE);
        return 0;
    }

    private static void release(Partition partition, @Nullable RdmaTransfer transfer, @Nullable TxDescriptor tx) {
        if (transfer != null) {
            partition.transfers().release(transfer, 0, true);
        }
        if (tx != null) {
            partition.transmits().release(tx);
        }
    }

    /**
     * Replies to a GET with RDMA WRITEs. If the reply fails, reports the failure to the sender of the GET. A Lustre node
     * does not report a failed reply, so the GET fails only when it times out at its sender.
     */
    private static int serveGet(RxDescriptor rx, LndMessage arrived, @Nullable LnetMessage message, long length) {
        Connection connection = rx.connection();
        long cookie = arrived.requestCookie();
        int status = message == null ? -Errno.ENODATA.number() : 0;
        @Nullable TxDescriptor tx = message == null || length == 0
                ? null
                : connection.partition().transmits().take(MessageType.GET_DONE);
        if (message != null && length == 0) {
            connection.context().host().complete(message, 0);
        } else if (message != null) {
            status = tx == null ? -Errno.ENOMEM.number() : planReply(tx, connection, arrived, message);
        }
        if (tx != null && status >= 0) {
            tx.completes(message, null);
            tx.message().completion().set(cookie, status);
            connection.queue(tx);
        } else {
            if (tx != null) {
                connection.partition().release(tx, 0, true);
            }
            refuse(connection, MessageType.GET_DONE, cookie, status);
        }
        connection.repost(rx, RepostEffect.CREDIT);
        return message == null || status >= 0 ? 0 : status;
    }

    private static int planReply(TxDescriptor tx, Connection connection, LndMessage arrived, LnetMessage message) {
        int status = connection
                .partition()
                .prepareSource(tx, message.payload(), message.payloadOffset(), message.payloadLength());
        return status < 0 ? status : plan(tx, connection, arrived, message.payloadLength());
    }

    /** Sends a PUT_NAK or GET_DONE without data. If no transmit descriptor is free, the peer's request times out. */
    private static void refuse(Connection connection, MessageType type, long cookie, int status) {
        @Nullable TxDescriptor tx = connection.partition().transmits().take(type);
        if (tx != null) {
            tx.message().completion().set(cookie, status);
            connection.queue(tx);
        }
    }
}
