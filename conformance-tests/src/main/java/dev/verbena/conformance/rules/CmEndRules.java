// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static dev.verbena.conformance.rules.Checks.assertFlushed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.verbena.cm.CmEventType;
import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.rules.CmTalk.Connected;
import dev.verbena.conformance.rules.CmTalk.Half;
import dev.verbena.conformance.side.CmChannel;
import dev.verbena.conformance.side.CmEventRecord;
import dev.verbena.conformance.side.CmNumbers;
import dev.verbena.conformance.side.Pair;
import dev.verbena.fault.LinkPacket;
import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The rules of rule area CM about disconnecting and closing connection ids, and about links that lose packets. */
public interface CmEndRules extends RuleSet {
    /** The maximum wait for a CM event is long enough for sixteen transmissions of each CM message. */
    Duration LONG = Duration.ofMinutes(10);

    private static boolean isManagement(LinkPacket packet) {
        return packet.destinationQp() == 1;
    }

    private static List<CmEventType> types(List<CmEventRecord> events) {
        return events.stream().map(CmEventRecord::type).toList();
    }

    @Rule(
            id = "CM-20",
            text = "After one side calls disconnect, both sides receive DISCONNECTED with status 0 once, and both"
                    + " queue pairs are in ERR.",
            source = "rdma_disconnect(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {
                "whether the DREQ raises DISCONNECTED at its receiver",
                "whether the DREP raises DISCONNECTED at the sender of the DREQ"
            },
            tries = 10)
    default void disconnectingEndsBothSides(boolean byAsker) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Connected connected = talk.connected();
            Half begins = byAsker ? connected.active() : connected.passive();
            Half follows = byAsker ? connected.passive() : connected.active();
            CmChannel first = byAsker ? talk.active() : talk.passive();
            CmChannel second = byAsker ? talk.passive() : talk.active();
            begins.id().disconnect();
            begins.end().qp().assertState(QpState.ERR);
            assertEquals(0, second.expect(CmEventType.DISCONNECTED).status(), "status of DISCONNECTED");
            follows.id().disconnect();
            follows.end().qp().assertState(QpState.ERR);
            assertEquals(0, first.expect(CmEventType.DISCONNECTED).status(), "status of DISCONNECTED");
            for (CmEventRecord later : Stream.of(first, second)
                    .flatMap(each -> each.inSilence().stream())
                    .toList()) {
                assertNotEquals(CmEventType.DISCONNECTED, later.type(), "a second event for one disconnect");
            }
        }
    }

    @Rule(
            id = "CM-21",
            text = "Two sides that disconnect at the same time each receive DISCONNECTED once, and then TIMEWAIT_EXIT.",
            source = "rdma_disconnect(3); IBTA volume 1, section 12.9.6",
            rig = {Needs.CONNECTIONS, Needs.VIRTUAL_TIME},
            lookAt = {"the handling of a DREQ that arrives while the local DREQ is in flight"})
    default void bothSidesCanDisconnectAtTheSameTime() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Connected connected = talk.connected();
            connected.active().id().disconnect();
            connected.passive().id().disconnect();
            pair.first().pass(Duration.ofSeconds(1));
            // Each peer calls disconnect after its DISCONNECTED event, as applications of librdmacm do.
            connected.active().id().disconnect();
            connected.passive().id().disconnect();
            pair.first().pass(Duration.ofSeconds(10));
            List<CmEventType> end = List.of(CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
            assertEquals(end, types(talk.active().inSilence()), "events of the active side");
            assertEquals(end, types(talk.passive().inSilence()), "events of the passive side");
        }
    }

    @Rule(
            id = "CM-22",
            text = "Closing a connection id ends its connection, and the peer receives DISCONNECTED.",
            source = "rdma_destroy_id(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"whether closing a connection id sends a DREQ"})
    default void closingAnIdEndsItsConnection() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Connected connected = talk.connected();
            connected.active().end().qp().close();
            connected.active().id().close();
            talk.passive().expect(CmEventType.DISCONNECTED);
        }
    }

    @Rule(
            id = "CM-23",
            text = "Disconnecting flushes the posted requests of the queue pair in order.",
            source = "rdma_disconnect(3); IBTA volume 1, section 10.3.1",
            rig = {Needs.CONNECTIONS},
            lookAt = {"whether disconnecting moves the queue pair to ERR"},
            tries = 10)
    default void disconnectingFlushesPostedRequests(@IntRange(min = 1, max = 16) int posted) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Connected connected = talk.connected();
            for (int i = 0; i < posted; i++) {
                connected.active().end().receive(i, 0, 8);
            }
            connected.active().id().disconnect();
            assertFlushed(connected.active().end().receives(), 0, posted);
        }
    }

    @Rule(
            id = "CM-24",
            text = "If any message of connection management is lost, once or repeatedly, both sides still"
                    + " reach ESTABLISHED and DISCONNECTED.",
            source = "IBTA volume 1, section 12.9.8 (retries)",
            rig = {Needs.CONNECTIONS, Needs.FAULTS, Needs.VIRTUAL_TIME},
            lookAt = {"the retransmission of REQ, REP and DREQ", "the response to a retransmitted message"})
    default void lostCmMessagesAreRetransmitted(
            @IntRange(min = 1, max = 5) int from, @IntRange(min = 1, max = 3) int count) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            pair.fault(LinkRule.nth(CmEndRules::isManagement, from, count, Verdict.DROP));
            Half active = talk.asking(CmNumbers.usual());
            CmChannel.Requested requested = talk.passive().expectRequest(LONG);
            Half passive = new Half(
                    requested.id(), requested.id().end(active.end().qp().type()));
            passive.id().accept(CmNumbers.usual());
            talk.active().expect(CmEventType.ESTABLISHED, LONG);
            talk.passive().expect(CmEventType.ESTABLISHED, LONG);
            active.id().disconnect();
            talk.passive().expect(CmEventType.DISCONNECTED, LONG);
            passive.id().disconnect();
            CmEventRecord end = talk.active().expect(CmEventType.DISCONNECTED, LONG);
            assertEquals(0, end.status(), "status of DISCONNECTED");
        }
    }

    @Rule(
            id = "CM-25",
            text = "Duplicate or late messages of connection management change nothing: each event is reported once.",
            source = "IBTA volume 1, section 12.9.8.3 (duplicates)",
            rig = {Needs.CONNECTIONS, Needs.FAULTS, Needs.VIRTUAL_TIME},
            lookAt = {"the response to duplicate messages in each state of a connection id"})
    default void duplicateCmMessagesChangeNothing(@IntRange(min = 0, max = 300) int lateMillis) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            pair.fault(LinkRule.always(CmEndRules::isManagement, new Verdict.Duplicate(1)));
            AtomicInteger seen = new AtomicInteger();
            pair.fault(LinkRule.always(
                    packet -> isManagement(packet) && seen.incrementAndGet() % 2 == 0,
                    new Verdict.Delay(Duration.ofMillis(lateMillis))));
            Connected connected = talk.connected();
            connected.active().id().disconnect();
            pair.first().pass(Duration.ofSeconds(2));
            connected.passive().id().disconnect();
            pair.first().pass(Duration.ofSeconds(10));
            List<CmEventType> end = List.of(CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
            assertEquals(end, types(talk.active().inSilence()), "events of the active side after ESTABLISHED");
            assertEquals(end, types(talk.passive().inSilence()), "events of the passive side after ESTABLISHED");
        }
    }

    @Rule(
            id = "CM-26",
            text = "If no response to a connection request arrives, UNREACHABLE is reported with status -ETIMEDOUT.",
            source = "rdma_connect(3) (RDMA_CM_EVENT_UNREACHABLE)",
            rig = {Needs.CONNECTIONS, Needs.FAULTS, Needs.VIRTUAL_TIME},
            lookAt = {"the number of times that the REQ is sent"})
    default void anUnansweredConnectRequestRaisesUnreachable() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            pair.fault(LinkRule.always(CmEndRules::isManagement, Verdict.DROP));
            talk.asking(CmNumbers.usual());
            CmEventRecord unreachable = talk.active().expect(CmEventType.UNREACHABLE, LONG);
            assertEquals(-Errno.ETIMEDOUT.number(), unreachable.status(), "status of UNREACHABLE");
        }
    }

    @Rule(
            id = "CM-27",
            text = "If no response to a disconnect request arrives, DISCONNECTED is reported with status -ETIMEDOUT.",
            source = "rdma_disconnect(3) (RDMA_CM_EVENT_DISCONNECTED)",
            rig = {Needs.CONNECTIONS, Needs.FAULTS, Needs.VIRTUAL_TIME},
            lookAt = {"the number of times that the DREQ is sent"})
    default void anUnansweredDisconnectRequestRaisesDisconnected() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Connected connected = talk.connected();
            pair.fault(LinkRule.always(CmEndRules::isManagement, Verdict.DROP));
            connected.active().id().disconnect();
            CmEventRecord end = talk.active().expect(CmEventType.DISCONNECTED, LONG);
            assertEquals(-Errno.ETIMEDOUT.number(), end.status(), "status of DISCONNECTED");
        }
    }

    @Rule(
            id = "CM-28",
            text = "Closing a listener rejects each connection request whose event is unread. Closing the connection id"
                    + " of an unanswered connection request also rejects the request. The active side of a rejected"
                    + " request receives REJECTED.",
            source = "rdma_destroy_id(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"whether closing a listener rejects the connection requests with unread events"},
            tries = 10)
    default void closingWithoutAnAnswerRejectsTheRequest(boolean seen) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            talk.asking(CmNumbers.usual());
            if (seen) {
                talk.passive().expectRequest().id().close();
            } else {
                pair.second().silence();
                talk.listener().close();
            }
            talk.active().expect(CmEventType.REJECTED);
        }
    }

    @Rule(
            id = "CM-29",
            text = "Closing fails with EBUSY for an event channel with open connection ids, and for a connection id"
                    + " with an open queue pair.",
            source = "the Javadoc of EventChannel and ConnectionId; rdma_destroy_id(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the references to an event channel and to a connection id"})
    default void objectsInUseCannotBeClosed() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Connected connected = talk.connected();
            assertErrno(Errno.EBUSY, () -> talk.active().close());
            assertErrno(Errno.EBUSY, () -> connected.active().id().close());
            connected.assertAlive(1);
        }
    }

    @Rule(
            id = "CM-30",
            text = "Many simultaneous connections do not affect each other, and the end of one connection does"
                    + " not affect the other connections.",
            source = "rdma_cm(7)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the search for the connection to which a message belongs"},
            tries = 5)
    default void connectionsAreIndependent(@IntRange(min = 2, max = 8) int count) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            List<Connected> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(talk.connected());
            }
            all.removeFirst().active().id().disconnect();
            talk.passive().expect(CmEventType.DISCONNECTED);
            for (Connected each : all) {
                each.assertAlive(1);
            }
            assertEquals(List.of(), types(talk.passive().inSilence()), "further events");
        }
    }
}
