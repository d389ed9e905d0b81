// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The effects of a malformed, unexpected or forbidden packet: the answer to the peer, the completion, the state of the
 * queue pair, and the counter. The values are those of the specification's profile.
 */
abstract class DropMatrix {
    static final int MTU = 256;
    static final int IN = 100;
    static final int OUT = 200;
    static final int QKEY = 0x99;
    static final long BEHIND_2_31 = (1L << 31) + 1;
    static final AccessFlag[] ALL = {
        AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC, AccessFlag.FLUSH_GLOBAL
    };
    static final String ENDED = "WR_FLUSH_ERR 1, WR_FLUSH_ERR 2";
    static final String FIRST_ENDED = "REM_INV_REQ_ERR 1, WR_FLUSH_ERR 2";
    static final String INVALID = "QP_REQ_ERR";
    static final String ACCESS = "QP_ACCESS_ERR";

    private final Lab lab = new Lab();

    @AfterEach
    void stop() {
        lab.close();
    }

    /** An action of the peer. */
    interface PeerAction {
        void happens(TestBed bed) throws VerbsException;
    }

    static final class TestBed {
        final Node node;
        final ScriptedPeer peer;
        final Endpoint endpoint;

        TestBed(Lab lab, QpType type) throws VerbsException {
            node = lab.node("sim0", "192.0.2.1");
            peer = lab.scriptedPeer("192.0.2.9");
            endpoint = node.endpoint(type);
        }

        TestBed connected(AccessFlag... access) throws VerbsException {
            return connected(2, access);
        }

        TestBed connected(int readDepth, AccessFlag... access) throws VerbsException {
            if (endpoint.qp().type() == QpType.UD) {
                endpoint.ready(QKEY, peer);
            } else {
                endpoint.connect(
                        peer, Connection.USUAL.psns(OUT, IN).granting(access).readDepth(readDepth));
            }
            return this;
        }

        TestBed receives() {
            endpoint.receive(1, 0, 2 * MTU);
            endpoint.receive(2, 1000, 64);
            return this;
        }

        long address() {
            return node.region().address();
        }

        int key() {
            return node.region().rkey();
        }

        void writes(Opcode opcode, int psn, int payload, long length) {
            peer.writes(opcode, psn, payload, address(), key(), length);
        }
    }

    static Arguments row(
            String name,
            QpType type,
            PeerAction action,
            String answers,
            String seen,
            String event,
            QpState state,
            Counter counter) {
        return argumentSet(name, type, action, answers, seen, event, state, counter);
    }

    static TestBed usual(TestBed bed) throws VerbsException {
        return bed.connected(ALL).receives();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isAnsweredReportedAndCounted(
            QpType type, PeerAction action, String answers, String seen, String event, QpState state, Counter counter)
            throws VerbsException {
        TestBed bed = new TestBed(lab, type);

        action.happens(bed);

        lab.settle();
        List<String> completions = new ArrayList<>(bed.endpoint.sends());
        completions.addAll(bed.endpoint.receives());
        assertThat(String.join(", ", bed.peer.received())).isEqualTo(answers);
        assertThat(String.join(", ", completions)).isEqualTo(seen);
        assertThat(String.join(", ", bed.node.events())).isEqualTo(event);
        assertThat(bed.endpoint.state()).isEqualTo(state);
        assertThat(bed.node.count(counter)).as(counter.description()).isPositive();
    }
}
