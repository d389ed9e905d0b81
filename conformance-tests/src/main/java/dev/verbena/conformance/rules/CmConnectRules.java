// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.PortSpace;
import dev.verbena.cm.RejectReason;
import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.rules.CmTalk.Connected;
import dev.verbena.conformance.rules.CmTalk.Half;
import dev.verbena.conformance.side.CmChannel;
import dev.verbena.conformance.side.CmEventRecord;
import dev.verbena.conformance.side.CmNumbers;
import dev.verbena.conformance.side.Id;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The rules of rule area CM about establishing connections. */
public interface CmConnectRules extends RuleSet {
    @Rule(
            id = "CM-01",
            text = "If one side listens and accepts, and the other side resolves and connects, both sides receive"
                    + " ESTABLISHED. Both queue pairs of the connection are in RTS and transfer messages.",
            source = "rdma_cm(7) (client and server operation)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the attributes that the connection manager sets in each queue pair"})
    default void connectingByAddressAndPortEstablishesAConnection() {
        try (Pair pair = pair()) {
            Connected connected = CmTalk.of(pair).connected();
            connected.active().end().qp().assertState(QpState.RTS);
            connected.passive().end().qp().assertState(QpState.RTS);
            connected.assertAlive(1);
        }
    }

    @Rule(
            id = "CM-04",
            text = "A connection request reports the active side's initiator_depth as responder_resources, and the"
                    + " active side's responder_resources as initiator_depth. In each direction, the agreed READ depth"
                    + " is the smaller of the two depths that the sides offered.",
            source = "rdma_get_cm_event(3) and rdma_accept(3) (responder_resources and initiator_depth)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CONNECTIONS},
            lookAt = {"whether one side's initiator_depth becomes the other side's responder_resources"})
    default void depthsAreReportedWithExchangedRoles(
            @IntRange(min = 0, max = 4) int resources,
            @IntRange(min = 0, max = 4) int depth,
            @IntRange(min = 0, max = 4) int ownResources,
            @IntRange(min = 0, max = 4) int ownDepth) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Half active = talk.asking(CmNumbers.usual().withDepths(resources, depth));
            CmChannel.Requested requested = talk.passive().expectRequest();
            CmNumbers offered = requested.request().parameters().orElseThrow();
            assertEquals(
                    depth,
                    offered.depths().responderResources(),
                    "READs of the active side, which the passive side serves");
            assertEquals(resources, offered.depths().initiatorDepth(), "READs that the active side serves");
            Half passive = new Half(requested.id(), requested.id().end(QpType.RC));
            passive.id().accept(CmNumbers.usual().withDepths(ownResources, ownDepth));
            CmNumbers agreed =
                    talk.active().expect(CmEventType.ESTABLISHED).parameters().orElseThrow();
            assertEquals(
                    Math.min(resources, ownDepth),
                    agreed.depths().responderResources(),
                    "READs that the active side serves");
            assertEquals(Math.min(depth, ownResources), agreed.depths().initiatorDepth(), "READs of the active side");
            QpAttributes first = active.end().qp().query();
            QpAttributes second = passive.end().qp().query();
            assertEquals(
                    Math.min(depth, ownResources),
                    first.maxRdAtomic(),
                    "READs that the active side's queue pair sends");
            assertEquals(
                    Math.min(depth, ownResources), second.maxDestRdAtomic(), "READs that the other queue pair serves");
        }
    }

    @Rule(
            id = "CM-05",
            text = "Each queue pair of a connection has the number of its peer's queue pair, starts with the PSN that"
                    + " the peer expects, and has the negotiated retry counts.",
            source = "rdma_connect(3) (retry_count and rnr_retry_count); IBTA volume 1, section 12.7",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CONNECTIONS},
            lookAt = {"whether each queue pair starts to send with the PSN that its peer expects"})
    default void queuePairsGetTheNegotiatedAttributes(
            @IntRange(min = 0, max = 7) int retries,
            @IntRange(min = 0, max = 7) int rnrOfAsker,
            @IntRange(min = 0, max = 7) int rnrOfAsked) {
        try (Pair pair = pair()) {
            Connected connected = CmTalk.of(pair)
                    .connected(
                            CmNumbers.usual().withRetries(retries, rnrOfAsker),
                            CmNumbers.usual().withRetries(7, rnrOfAsked));
            QpAttributes first = connected.active().end().qp().query();
            QpAttributes second = connected.passive().end().qp().query();
            assertEquals(
                    connected.passive().end().qp().number(), first.destinationQpn(), "destination of the active side");
            assertEquals(
                    connected.active().end().qp().number(), second.destinationQpn(), "destination of the passive side");
            assertEquals(first.sqPsn(), second.rqPsn(), "PSN of the active side's sends");
            assertEquals(second.sqPsn(), first.rqPsn(), "PSN of the passive side's sends");
            assertEquals(retries, first.retryCount(), "retry count of the active side");
            assertEquals(retries, second.retryCount(), "retry count of the passive side");
            assertEquals(rnrOfAsked, first.rnrRetryCount().code(), "RNR retry count of the active side");
            assertEquals(rnrOfAsker, second.rnrRetryCount().code(), "RNR retry count of the passive side");
        }
    }

    @Rule(
            id = "CM-07",
            text = "A connection request to a port without a listener raises REJECTED at its sender, with status 8.",
            source = "rdma_connect(3); IBTA volume 1, section 12.6.7.2 (code 8)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the response to a REQ for an unknown service ID"})
    default void aRequestToAPortWithoutListenerIsRejected() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            talk.listener().close();
            talk.asking(CmNumbers.usual());
            CmEventRecord rejected = talk.active().expect(CmEventType.REJECTED);
            assertEquals(RejectReason.INVALID_SERVICE_ID.code(), rejected.status(), "status of REJECTED");
        }
    }

    @Rule(
            id = "CM-12",
            text = "The backlog of a listener limits the number of its queued connection requests. Reading the event of"
                    + " a connection request makes room for another connection request, even before the first request"
                    + " is answered.",
            source = "rdma_listen(3) (backlog); ucma_get_event in drivers/infiniband/core/ucma.c of Linux",
            rig = {Needs.CONNECTIONS, Needs.VIRTUAL_TIME},
            lookAt = {"whether the backlog limits the number of connection requests with unread events"},
            tries = 10)
    default void theBacklogLimitsUnreadRequests(@IntRange(min = 1, max = 3) int backlog) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair, PortSpace.TCP, backlog);
            for (int i = 0; i < 2 * backlog; i++) {
                talk.asking(CmNumbers.usual());
            }
            pair.second().silence();
            assertEquals(backlog, talk.passive().within(Duration.ZERO).size(), "requests that were queued");
            for (int i = 0; i < backlog; i++) {
                talk.passive().expectRequest(CmEndRules.LONG);
            }
        }
    }

    @Rule(
            id = "CM-13",
            text = "A connection id without a queue pair receives CONNECT_RESPONSE in place of ESTABLISHED. The peer"
                    + " receives ESTABLISHED when the program calls establish on the connection id. A queue pair that"
                    + " is modified with the attributes of rdma_init_qp_attr transfers data.",
            source = "rdma_establish(3); rdma_init_qp_attr(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CM_EXTERNAL_QP},
            lookAt = {
                "whether the RTU is sent only after establish is called",
                "whether the attributes for RTR and RTS contain the correct PSNs"
            },
            tries = 4)
    default void anIdWithoutAQueuePairNeedsEstablish(boolean bothExternal) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Id asker = talk.resolved();
            Half active = new Half(asker, asker.externalEnd());
            active.id().connect(CmNumbers.usual().withQpNumber(active.end().qp().number()));
            CmChannel.Requested requested = talk.passive().expectRequest();
            assertEquals(
                    active.end().qp().number(),
                    requested.request().parameters().orElseThrow().qpNumber(),
                    "the active side's queue pair");
            Half passive = accepted(requested.id(), bothExternal);
            CmEventRecord response = talk.active().expect(CmEventType.CONNECT_RESPONSE);
            assertEquals(
                    passive.end().qp().number(),
                    response.parameters().orElseThrow().qpNumber(),
                    "the passive side's queue pair");
            assertEquals(0, talk.passive().inSilence().size(), "events before the call of establish");
            active.id().bring(active.end().qp(), QpState.INIT, QpState.RTR, QpState.RTS);
            active.id().establish();
            talk.passive().expect(CmEventType.ESTABLISHED);
            new Connected(active, passive).assertAlive(1);
        }
    }

    private static Half accepted(Id id, boolean external) {
        if (!external) {
            Half half = new Half(id, id.end(QpType.RC));
            id.accept(CmNumbers.usual());
            return half;
        }
        Half half = new Half(id, id.externalEnd());
        id.bring(half.end().qp(), QpState.INIT, QpState.RTR, QpState.RTS);
        id.accept(CmNumbers.usual().withQpNumber(half.end().qp().number()));
        return half;
    }

    @Rule(
            id = "CM-14",
            text = "When a connection id migrates to another event channel, its pending events and all its later"
                    + " events are delivered to the new event channel.",
            source = "rdma_migrate_id(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the handling of events that are pending when a connection id migrates"})
    default void pendingEventsMoveWithAMigratedId() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Id id = talk.active().id(PortSpace.TCP);
            id.resolveAddress(pair.second(), talk.port());
            pair.first().silence();
            CmChannel other = CmChannel.open(pair.first());
            id.migrate(other);
            other.expect(CmEventType.ADDR_RESOLVED);
            id.resolveRoute();
            other.expect(CmEventType.ROUTE_RESOLVED);
            assertEquals(0, talk.active().inSilence().size(), "events on the previous channel of the id");
            talk.active().close();
        }
    }

    @Rule(
            id = "CM-15",
            text = "The traffic class of both queue pairs is the type of service that was set on the active side's"
                    + " connection id.",
            source = "rdma_set_option(3) (RDMA_OPTION_ID_TOS)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CONNECTIONS},
            lookAt = {"whether the passive side adopts the traffic class in the REQ"})
    default void theTypeOfServiceBecomesTheTrafficClassOfBothSides(@IntRange(min = 0, max = 63) int service) {
        int traffic = service << 2;
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Id active = talk.active().id(PortSpace.TCP);
            active.typeOfService(traffic);
            talk.resolve(active);
            Half first = new Half(active, active.end(QpType.RC));
            active.connect(CmNumbers.usual());
            Half second = talk.asked();
            second.id().accept(CmNumbers.usual());
            talk.active().expect(CmEventType.ESTABLISHED);
            for (Half half : List.of(first, second)) {
                assertEquals(
                        traffic,
                        half.end()
                                .qp()
                                .query()
                                .addressVector()
                                .route()
                                .orElseThrow()
                                .trafficClass(),
                        "traffic class");
            }
        }
    }

    @Rule(
            id = "CM-16",
            text = "The queue pair of a connection id has the ACK timeout that was set on the connection id.",
            source = "rdma_set_option(3) (RDMA_OPTION_ID_ACK_TIMEOUT)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CONNECTIONS},
            lookAt = {"the local ACK timeout in the REQ"})
    default void theQueuePairHasTheAckTimeoutOfItsId(@IntRange(min = 0, max = 31) int code) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Id active = talk.resolved();
            active.ackTimeout(code);
            Half first = new Half(active, active.end(QpType.RC));
            active.connect(CmNumbers.usual());
            talk.asked().id().accept(CmNumbers.usual());
            talk.active().expect(CmEventType.ESTABLISHED);
            assertEquals(code, first.end().qp().query().ackTimeout().code(), "ACK timeout");
        }
    }

    @Rule(
            id = "CM-18",
            text = "Two sides that request a connection from each other at the same time get two connections.",
            source = "rdma_connect(3); IBTA volume 1, section 12.10.4",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the handling of a REQ that arrives while the local REQ is in flight"})
    default void bothSidesCanConnectAtTheSameTime() {
        try (Pair pair = pair()) {
            CmTalk there = CmTalk.of(pair);
            CmTalk back = CmTalk.of(pair.second(), pair.first(), PortSpace.TCP, 10);
            Id first = there.resolved();
            Id second = back.resolved();
            Half one = new Half(first, first.end(QpType.RC));
            Half two = new Half(second, second.end(QpType.RC));
            first.connect(CmNumbers.usual());
            second.connect(CmNumbers.usual());
            Half answersOne = there.asked();
            Half answersTwo = back.asked();
            answersOne.id().accept(CmNumbers.usual());
            answersTwo.id().accept(CmNumbers.usual());
            there.active().expect(CmEventType.ESTABLISHED);
            back.active().expect(CmEventType.ESTABLISHED);
            new Connected(one, answersOne).assertAlive(1);
            new Connected(two, answersTwo).assertAlive(2);
        }
    }

    @Rule(
            id = "CM-19",
            text = "If a listener reads each connection request before the next one arrives, it receives all requests,"
                    + " even with a backlog of 1. The listener may accept the requests later.",
            source = "ucma_get_event in drivers/infiniband/core/ucma.c of Linux",
            rig = {Needs.CONNECTIONS},
            lookAt = {"whether the backlog still counts connection requests that the listener has read"})
    default void readRequestsDoNotCountAgainstTheBacklog() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair, PortSpace.TCP, 1);
            List<Half> active = new ArrayList<>();
            List<Half> passive = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                active.add(talk.asking(CmNumbers.usual()));
                passive.add(talk.asked());
            }
            for (int i = 0; i < 3; i++) {
                passive.get(i).id().accept(CmNumbers.usual());
                talk.active().expect(CmEventType.ESTABLISHED);
                new Connected(active.get(i), passive.get(i)).assertAlive(i);
            }
        }
    }
}
