// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.engine.ConnectionEngine;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageDefect;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.verbs.QpState;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a node granted its peers for writing. This memory must stay registered for the same transfer until
 * the peer's DONE message has arrived, or the connection's queue pair accepts no more packets. The check finds that
 * message in the receive buffers themselves, independently of the driver. Checked after each event of virtual time.
 */
final class Grants {

    private final LnetNode node;
    private final Map<TxDescriptor, Grant> open = new HashMap<>();
    private long seen;

    Grants(LnetNode node) {
        this.node = node;
    }

    /** Memory granted by one message, and how it was registered then. */
    private static final class Grant {
        private final TxDescriptor tx;
        private final long cookie;
        private final RdmaTransfer transfer;
        private final Object registration;
        private final int key;
        private final Connection connection;
        private boolean answered;

        Grant(TxDescriptor tx, RdmaTransfer transfer, Connection connection) {
            this.tx = tx;
            this.transfer = transfer;
            this.connection = connection;
            cookie = tx.cookie();
            registration = transfer.registration();
            key = transfer.registration().rkey();
        }

        /** Compares by identity, since an equal object may belong to another transfer. */
        @SuppressWarnings("ReferenceEquality")
        boolean isHeld() {
            return tx.cookie() == cookie
                    && tx.transfer() == transfer
                    && transfer.isRegistered()
                    && transfer.registration() == registration
                    && transfer.registration().rkey() == key;
        }

        boolean isSafe() {
            @Nullable Endpoint endpoint = connection.endpoint();
            return answered
                    || connection.state() == ConnectionState.DISCONNECTED
                    || connection.state() == ConnectionState.DESTROYED
                    || endpoint == null
                    || endpoint.queuePair().state() == QpState.ERR;
        }
    }

    long seen() {
        return seen;
    }

    void check() {
        open.values().forEach(this::lookForAnswer);
        for (Iterator<Grant> all = open.values().iterator(); all.hasNext(); ) {
            Grant grant = all.next();
            if (!grant.isHeld()) {
                if (!grant.isSafe()) {
                    throw new AssertionError("memory of " + grant.tx + " with key 0x" + Integer.toHexString(grant.key)
                            + " was given back while " + grant.connection + " may write to it");
                }
                all.remove();
            }
        }
        node.ni().hca().partitions().forEach(partition -> partition.transmits().forEach(this::look));
    }

    private void look(TxDescriptor tx) {
        if ((tx.type() == MessageType.PUT_ACK || tx.type() == MessageType.GET_REQ) && !open.containsKey(tx)) {
            DriverParts.allPeers(node).forEach(peer -> peer.connections().forEach(connection -> begin(tx, connection)));
        }
    }

    private void begin(TxDescriptor tx, Connection connection) {
        ConnectionEngine<TxDescriptor> engine = connection.engine();
        @Nullable RdmaTransfer transfer = tx.transfer();
        if (transfer != null && transfer.isRegistered() && engine.findWaiting(tx.type(), tx.cookie()) == tx) {
            open.put(tx, new Grant(tx, transfer, connection));
            seen++;
        }
    }

    private void lookForAnswer(Grant grant) {
        @Nullable Endpoint endpoint = grant.connection.endpoint();
        if (endpoint == null || grant.answered) {
            return;
        }
        MessageType answer = grant.tx.type() == MessageType.PUT_ACK ? MessageType.PUT_DONE : MessageType.GET_DONE;
        LndMessage view = new LndMessage();
        for (long offset : endpoint.buffers()) {
            view.wrap(node.ni().memory().segment(), offset);
            if (view.parse(Protocol.MESSAGE_SIZE) == MessageDefect.NONE
                    && view.type() == answer
                    && view.completion().cookie() == grant.cookie) {
                grant.answered = true;
            }
        }
    }
}
