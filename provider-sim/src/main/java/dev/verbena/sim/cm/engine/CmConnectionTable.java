// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.CmConnectionMessage;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds a connection by the communication ID or the QPN in a message. Plays the role of ib_cm's {@code local_id_table},
 * {@code remote_id_table} and {@code remote_qp_table}. Limits the connections that remote hosts can create.
 */
final class CmConnectionTable {
    /**
     * The maximum number of passive connections, of all listeners, that wait for rdma_accept, rdma_reject or the RTU.
     * Because any host can create half-open connections, the connection manager ignores REQs above this maximum.
     */
    static final int MOST_HALF_OPEN = 1 << 14;

    /**
     * The maximum number of connections in timewait. Any host can bring connections into timewait; if the table has too
     * many of them, the oldest one leaves timewait early.
     */
    static final int MOST_IN_TIMEWAIT = 1 << 14;

    private final Map<Integer, CmConnection> byLocalId = new HashMap<>();
    private final Map<Remote, CmConnection> byRemoteId = new HashMap<>();
    private final Map<Remote, CmConnection> byRemoteQpn = new HashMap<>();
    private final LinkedHashSet<CmConnection> timewait = new LinkedHashSet<>();
    private int halfOpen;

    /**
     * A communication ID or a QPN of a peer, with the peer's node GUID. Two peers may use the same communication ID or the
     * same QPN.
     */
    private record Remote(long guid, int number) {
        static Remote id(CmCommunication communication) {
            return new Remote(communication.remoteGuid(), communication.remoteId());
        }

        static Remote qpn(CmCommunication communication) {
            return new Remote(communication.remoteGuid(), communication.remoteQpn());
        }
    }

    int size() {
        return byLocalId.size();
    }

    boolean hasLocalId(int localId) {
        return byLocalId.containsKey(localId);
    }

    void add(CmConnection connection) {
        byLocalId.put(connection.communication().localId(), connection);
    }

    void index(CmConnection connection) {
        byRemoteId.put(Remote.id(connection.communication()), connection);
        byRemoteQpn.put(Remote.qpn(connection.communication()), connection);
    }

    void remove(CmConnection connection) {
        timewait.remove(connection);
        byLocalId.remove(connection.communication().localId(), connection);
        byRemoteId.remove(Remote.id(connection.communication()), connection);
        byRemoteQpn.remove(Remote.qpn(connection.communication()), connection);
    }

    void inTimewait(CmConnection connection) {
        timewait.add(connection);
        if (timewait.size() > MOST_IN_TIMEWAIT) {
            timewait.getFirst().leaveTimewait();
        }
    }

    int halfOpen() {
        return halfOpen;
    }

    void halfOpen(int change) {
        halfOpen += change;
    }

    @Nullable CmConnection withRemoteId(long guid, int remoteId) {
        return byRemoteId.get(new Remote(guid, remoteId));
    }

    @Nullable CmConnection withRemoteQpn(long guid, int remoteQpn) {
        return byRemoteQpn.get(new Remote(guid, remoteQpn));
    }

    @Nullable CmConnection find(int localId, Gid peer) {
        CmConnection connection = byLocalId.get(localId);
        return connection != null && connection.peerGid().equals(peer) ? connection : null;
    }

    @Nullable CmConnection find(CmConnectionMessage<?> message, Gid peer) {
        int remoteId = message.get(CmConnectionMessage.LOCAL_COMM_ID);
        CmConnection connection = find(message.get(CmConnectionMessage.REMOTE_COMM_ID), peer);
        return connection != null && remoteId != 0 && connection.communication().remoteId() == remoteId
                ? connection
                : null;
    }
}
