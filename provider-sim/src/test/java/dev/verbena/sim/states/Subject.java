// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PathMigrationState;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue pair of any type that a test moves to any state, with a {@link ScriptedPeer} as its peer. */
final class Subject implements AutoCloseable {
    static final int MTU = 256;
    static final int FIRST_SENT = 200;
    static final int FIRST_RECEIVED = 100;
    static final int QKEY = 0x1234;
    /** Bytes that every test may send from, and receive to. */
    static final int LENGTH = 100;

    private static final Gid ELSEWHERE = Gid.parse("192.0.2.99");

    private final Node node;
    private final ScriptedPeer peer;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final Endpoint endpoint;
    private final AddressHandle handle;

    Subject(Node node, ScriptedPeer peer, QpType type) throws VerbsException {
        this(node, peer, type, (SharedReceiveQueue) null);
    }

    /** Makes a subject with receives from a shared queue. */
    Subject(Node node, ScriptedPeer peer, QpType type, @Nullable SharedReceiveQueue shared) throws VerbsException {
        this(node, peer, type, QpCapabilities.of(15, 15), shared);
    }

    /** Makes a subject with queues of another size. */
    Subject(Node node, ScriptedPeer peer, QpType type, QpCapabilities capabilities) throws VerbsException {
        this(node, peer, type, capabilities, null);
    }

    private Subject(
            Node node, ScriptedPeer peer, QpType type, QpCapabilities capabilities, @Nullable SharedReceiveQueue shared)
            throws VerbsException {
        this.node = node;
        this.peer = peer;
        sendCq = node.newCq(63);
        receiveCq = node.newCq(63);
        QpInitAttributes.Builder attributes = QpInitAttributes.builder()
                .type(type)
                .sendCq(sendCq)
                .receiveCq(receiveCq)
                .capabilities(capabilities);
        if (shared != null) {
            attributes.srq(shared);
        }
        endpoint = new Endpoint(node, node.domain().createQp(attributes.build()));
        handle = node.domain().createAh(AddressVector.toGid(peer.address(), 1));
        peer.talksTo(endpoint);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    QpType type() {
        return endpoint.qp().type();
    }

    /** Moves the queue pair from RESET to a state, by the shortest path. */
    Subject to(QpState state) throws VerbsException {
        List<QpState> way = List.of(QpState.INIT, QpState.RTR, QpState.RTS);
        QpState present = QpState.RESET;
        for (QpState next : way.subList(0, Math.min(way.size(), state.ordinal()))) {
            Set<QpAttribute> required = Objects.requireNonNull(TransitionTable.find(type(), present, next))
                    .required();
            QpAttributesBuilder step = QpAttributes.builder().state(next);
            required.forEach(attribute -> putUsual(step, attribute));
            endpoint.qp().modify(step.build());
            present = next;
        }
        switch (state) {
            case RESET, INIT, RTR, RTS -> {
                // Already there.
            }
            case SQD, ERR -> modify(state);
            case SQE -> {
                failSend();
                assertThat(endpoint.sends()).containsExactly("LOC_PROT_ERR 0");
            }
        }
        node.lab().settle();
        assertThat(endpoint.state()).isEqualTo(state);
        return this;
    }

    /** Modifies the state alone. */
    void modify(QpState state) throws VerbsException {
        endpoint.qp().modify(QpAttributes.builder().state(state).build());
    }

    /** Sends from memory of another domain, which fails on this side. */
    void failSend() throws VerbsException {
        ProtectionDomain foreign = node.device().allocatePd();
        MemoryRegion region = foreign.registerMemory(node.memory());
        assertThat(post(wr -> wr.send().sge(region, 0, 1))).isEqualTo(PostRefusal.NONE);
        node.lab().settle();
        region.close();
        foreign.close();
    }

    /** The test's code that fills a request. */
    interface Filler {
        SendWorkRequest fill(SendWorkRequest request);
    }

    /** Posts a request to the peer. */
    PostRefusal post(Filler filler) {
        return endpoint.post(wr -> {
            SendWorkRequest filled = filler.fill(wr);
            if (type() == QpType.UD) {
                filled.to(handle, ScriptedPeer.QPN, QKEY);
            }
        });
    }

    /** Posts an unsignaled SEND. */
    PostRefusal send(long id) {
        return post(wr -> wr.send().id(id).sge(node.region(), 0, LENGTH));
    }

    /** Posts a signaled SEND. */
    PostRefusal sendSignaled(long id) {
        return post(wr -> wr.send().id(id).signaled().sge(node.region(), 0, LENGTH));
    }

    /** Posts a receive for the message of {@link #request}. */
    PostRefusal receive(long id) {
        return endpoint.receive(id, 0, LENGTH);
    }

    /** Makes the peer send a message of one packet, the first one or a later one. */
    void request(int index) {
        Opcode opcode = switch (type()) {
            case RC -> Opcode.RC_SEND_ONLY;
            case UC -> Opcode.UC_SEND_ONLY;
            case UD -> Opcode.UD_SEND_ONLY;
        };
        peer.sends(opcode, FIRST_RECEIVED + index, 3, packet -> {
            if (opcode.has(Extension.DETH)) {
                packet.deth().initialize(QKEY, ScriptedPeer.QPN);
            }
            packet.bth().ackRequest(opcode == Opcode.RC_SEND_ONLY);
        });
    }

    /** Sets the value of a connection to the peer. */
    private void putUsual(QpAttributesBuilder to, QpAttribute attribute) {
        switch (attribute) {
            case ACCESS_FLAGS -> to.access(AccessFlag.REMOTE_WRITE);
            case PKEY_INDEX -> to.pkeyIndex(0);
            case PORT -> to.port(1);
            case QKEY -> to.qkey(QKEY);
            case AV -> to.addressVector(AddressVector.toGid(peer.address(), 1));
            case PATH_MTU -> to.pathMtu(PathMtu.MTU_256);
            case TIMEOUT -> to.ackTimeout(AckTimeout.ofCode(14));
            case RETRY_CNT -> to.retryCount(7);
            case RNR_RETRY -> to.rnrRetryCount(RnrRetryCount.FOREVER);
            case RQ_PSN -> to.rqPsn(Psn.of(FIRST_RECEIVED));
            case MAX_QP_RD_ATOMIC -> to.maxRdAtomic(1);
            case MIN_RNR_TIMER -> to.minRnrTimer(RnrTimer.ofCode(12));
            case SQ_PSN -> to.sqPsn(Psn.of(FIRST_SENT));
            case MAX_DEST_RD_ATOMIC -> to.maxDestRdAtomic(1);
            case DEST_QPN -> to.destinationQpn(ScriptedPeer.QPN);
            case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY, ALT_PATH, PATH_MIG_STATE, CAP ->
                throw new IllegalArgumentException(attribute + " is required by no transition");
        }
    }

    /** Sets a legal value that differs from the default one if possible. */
    static void put(QpAttributesBuilder to, QpAttribute attribute, QpState current) {
        switch (attribute) {
            case STATE -> throw new IllegalArgumentException("set by the caller");
            case CUR_STATE -> to.currentState(current);
            case EN_SQD_ASYNC_NOTIFY -> to.enableSqdAsyncNotify(true);
            case ACCESS_FLAGS -> to.access(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
            case PKEY_INDEX -> to.pkeyIndex(0);
            case PORT -> to.port(1);
            case QKEY -> to.qkey(5);
            case AV -> to.addressVector(AddressVector.toGid(ELSEWHERE, 1));
            case PATH_MTU -> to.pathMtu(PathMtu.MTU_512);
            case TIMEOUT -> to.ackTimeout(AckTimeout.ofCode(10));
            case RETRY_CNT -> to.retryCount(3);
            case RNR_RETRY -> to.rnrRetryCount(RnrRetryCount.of(2));
            case RQ_PSN -> to.rqPsn(Psn.of(1));
            case MAX_QP_RD_ATOMIC -> to.maxRdAtomic(4);
            case ALT_PATH -> to.alternatePath(AddressVector.toGid(ELSEWHERE, 1));
            case MIN_RNR_TIMER -> to.minRnrTimer(RnrTimer.ofCode(3));
            case SQ_PSN -> to.sqPsn(Psn.of(2));
            case MAX_DEST_RD_ATOMIC -> to.maxDestRdAtomic(5);
            case PATH_MIG_STATE -> to.pathMigrationState(PathMigrationState.MIGRATED);
            case CAP -> to.capabilities(QpCapabilities.of(1, 1));
            case DEST_QPN -> to.destinationQpn(77);
        }
    }

    @Override
    public void close() throws VerbsException {
        endpoint.qp().close();
        handle.close();
        sendCq.close();
        receiveCq.close();
    }
}
