package dev.verbena.lnd;

import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.Lnd;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.LnetMessageType;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.lnet.ReceiveHandle;
import dev.verbena.verbs.Errno;
import org.jspecify.annotations.Nullable;

/**
 * The driver as LNet sees it. Chooses how a message travels: inside one message where it fits, else by RDMA. Source:
 * {@code kiblnd_send}.
 */
final class O2ibLnd implements Lnd {

    private final NetworkInterface ni;

    O2ibLnd(NetworkInterface ni) {
        this.ni = ni;
    }

    @Override
    public int send(LnetMessage message) {
        ni.clock().begin();
        try {
            return choose(message);
        } finally {
            ni.clock().end();
        }
    }

    private int choose(LnetMessage message) {
        if (message.type() == LnetMessageType.HELLO) {
            return -Errno.EPROTO.number();
        }
        if (ni.isShutdown()) {
            return -Errno.ENETDOWN.number();
        }
        if (ni.isDown()) {
            return -Errno.EHOSTUNREACH.number();
        }
        @Nullable Peer peer = ni.peers().find(message.nextHop());
        if (peer != null && (peer.hasDelayed() || !peer.hasRoom(ni.tunables().peerShare()))) {
            return delay(message, peer);
        }
        return start(message, peer);
    }

    /**
     * Keeps a message that is beyond the peer's share. A peer that requests more and accepts no answer loses its
     * connections.
     */
    private int delay(LnetMessage message, Peer peer) {
        if (peer.delayed().add(message, ni.now() + ni.tunables().timeout().toNanos())) {
            return 0;
        }
        ni.peers().closeAll(peer, -Errno.ENOBUFS.number(), connection -> true);
        return -Errno.ENOBUFS.number();
    }

    /** Starts messages of a peer, one of which has ended, up to its share. */
    void startDelayed(Peer peer) {
        if (!peer.hasDelayed() || !peer.delayed().beginStarting()) {
            return;
        }
        try {
            while (peer.isLinked() && peer.hasRoom(ni.tunables().peerShare())) {
                @Nullable LnetMessage message = peer.delayed().poll();
                if (message == null) {
                    return;
                }
                int status = ni.isDown() ? -Errno.EHOSTUNREACH.number() : start(message, peer);
                if (status < 0) {
                    ni.host().complete(message, status, HealthClass.ofRefusal(status));
                }
            }
        } finally {
            peer.delayed().endStarting();
        }
    }

    /** How a message travels. */
    static MessageType typeOf(LnetMessage message) {
        return switch (message.type()) {
            case ACK -> MessageType.IMMEDIATE;
            case PUT, REPLY ->
                message.payloadLength() <= Protocol.MAX_IMMEDIATE ? MessageType.IMMEDIATE : MessageType.PUT_REQ;
            case GET -> message.sink().length() <= Protocol.MAX_IMMEDIATE ? MessageType.IMMEDIATE : MessageType.GET_REQ;
            case HELLO -> throw new IllegalArgumentException("HELLO is no message of this driver");
        };
    }

    private int start(LnetMessage message, @Nullable Peer peer) {
        Partition partition = ni.partition(message.nextHop());
        MessageType type = typeOf(message);
        @Nullable TxDescriptor tx = partition.transmits().take(type);
        if (tx == null) {
            return -Errno.ENOMEM.number();
        }
        int status;
        try {
            status = fill(tx, type, partition, message);
        } catch (RuntimeException | Error e) {
            partition.giveBack(tx);
            ni.host().complete(message, -Errno.EIO.number(), HealthClass.LOCAL_ERROR);
            throw e;
        }
        if (status < 0) {
            partition.giveBack(tx);
            return status;
        }
        message.writeHeader(tx.message().lnetHeader());
        ni.peers().launch(tx, message.nextHop(), peer);
        return 0;
    }

    /** Gives a descriptor its message, and the memory of a transfer; 0, or a negative errno. */
    private int fill(TxDescriptor tx, MessageType type, Partition partition, LnetMessage message) {
        return switch (type) {
            case PUT_REQ -> fillPut(tx, partition, message);
            case GET_REQ -> fillGet(tx, partition, message);
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

    private int fillGet(TxDescriptor tx, Partition partition, LnetMessage message) {
        PayloadVector sink = message.sink();
        @Nullable RdmaTransfer transfer = partition.transfers().sink(sink, 0, sink.length());
        if (transfer == null) {
            return -Errno.ENOMEM.number();
        }
        tx.transfer(transfer);
        @Nullable LnetMessage reply = ni.host().createReply(message);
        if (reply == null) {
            return -Errno.EIO.number();
        }
        tx.message().requestCookie(tx.cookie());
        tx.completes(message, reply);
        return 0;
    }

    @Override
    public int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered) {
        return ReceiveFlow.receive((RxDescriptor) handle, message, wanted, offered);
    }
}
