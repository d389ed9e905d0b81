package dev.verbena.lnd;

import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnet.Lnd;
import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.lnet.ReceiveHandle;
import dev.verbena.verbs.Errno;
import org.jspecify.annotations.Nullable;

/**
 * The driver as LNet sees it. Chooses how a message travels: inside one message where it fits, else by RDMA. Source:
 * {@code kiblnd_send}.
 */
final class O2ibLnd implements Lnd {

    private final Net net;

    O2ibLnd(Net net) {
        this.net = net;
    }

    @Override
    public int send(LnetMessage message) {
        net.clock().begin();
        try {
            return choose(message);
        } finally {
            net.clock().end();
        }
    }

    private int choose(LnetMessage message) {
        if (net.isShutdown()) {
            return -Errno.ENETDOWN.number();
        }
        if (net.isDown()) {
            return -Errno.EHOSTUNREACH.number();
        }
        Partition partition = net.partition(message.nextHop());
        return switch (message.type()) {
            case ACK -> sendImmediate(partition, message);
            case PUT, REPLY ->
                message.payloadLength() <= Protocol.MAX_IMMEDIATE
                        ? sendImmediate(partition, message)
                        : sendPut(partition, message);
            case GET ->
                message.sink().length() <= Protocol.MAX_IMMEDIATE
                        ? sendImmediate(partition, message)
                        : sendGet(partition, message);
            case HELLO -> -Errno.EPROTO.number();
        };
    }

    private int sendImmediate(Partition partition, LnetMessage message) {
        @Nullable TxDescriptor tx = partition.transmits().take(MessageType.IMMEDIATE);
        if (tx == null) {
            return -Errno.ENOMEM.number();
        }
        long length = message.payloadLength();
        try {
            message.payload()
                    .copyOut(
                            message.payloadOffset(),
                            partition.memory().segment(),
                            tx.offset() + LndMessage.IMMEDIATE_PAYLOAD,
                            length);
        } catch (IllegalStateException e) {
            partition.transmits().release(tx);
            return -Errno.EFAULT.number();
        }
        tx.message().payloadLength(length);
        tx.completes(message, null);
        return launch(tx, message);
    }

    private int sendPut(Partition partition, LnetMessage message) {
        @Nullable TxDescriptor tx = partition.transmits().take(MessageType.PUT_REQ);
        if (tx == null) {
            return -Errno.ENOMEM.number();
        }
        int status = partition.prepareSource(tx, message.payload(), message.payloadOffset(), message.payloadLength());
        if (status < 0) {
            partition.transmits().release(tx);
            return status;
        }
        tx.message().requestCookie(tx.cookie());
        tx.completes(message, null);
        return launch(tx, message);
    }

    private int sendGet(Partition partition, LnetMessage message) {
        @Nullable TxDescriptor tx = partition.transmits().take(MessageType.GET_REQ);
        if (tx == null) {
            return -Errno.ENOMEM.number();
        }
        PayloadVector sink = message.sink();
        @Nullable Bulk bulk = partition.bulks().sink(sink, 0, sink.length());
        if (bulk == null) {
            partition.transmits().release(tx);
            return -Errno.ENOMEM.number();
        }
        @Nullable LnetMessage reply = net.host().createReply(message);
        if (reply == null) {
            partition.bulks().release(bulk, 0, false);
            partition.transmits().release(tx);
            return -Errno.EIO.number();
        }
        tx.bulk(bulk);
        tx.message().requestCookie(tx.cookie());
        tx.completes(message, reply);
        return launch(tx, message);
    }

    private int launch(TxDescriptor tx, LnetMessage message) {
        message.writeHeader(tx.message().lnetHeader());
        net.peers().launch(tx, message.nextHop());
        return 0;
    }

    @Override
    public int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered) {
        return ReceiveFlow.receive((RxDescriptor) handle, message, wanted, offered);
    }
}
