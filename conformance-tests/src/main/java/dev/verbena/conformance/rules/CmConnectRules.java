package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.PortSpace;
import dev.verbena.cm.RejectReason;
import dev.verbena.conformance.rules.CmTalk.Connected;
import dev.verbena.conformance.rules.CmTalk.Half;
import dev.verbena.conformance.side.CmChannel;
import dev.verbena.conformance.side.CmHappening;
import dev.verbena.conformance.side.CmNumbers;
import dev.verbena.conformance.side.Id;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Reply;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Area CM, second part: addresses, and the way to a connection. */
public interface CmConnectRules extends RuleSet {
    private static byte[] bytes(int length, int first) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    private static void assertPadded(byte[] expected, int area, byte[] found, String what) {
        assertEquals(area, found.length, () -> "length of " + what);
        assertTrue(
                Arrays.equals(Arrays.copyOf(expected, area), found),
                () -> what + " is " + Arrays.toString(found) + ", sent was " + Arrays.toString(expected));
    }

    @Rule(
            id = "CM-01",
            text = "Listening, resolving, connecting and accepting end in ESTABLISHED on both sides. Both"
                    + " queue pairs are in RTS and transfer messages.",
            source = "rdma_cm(7), client and server operation",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the attributes that the connection manager sets in a queue pair"})
    @Example
    default void aConnectionIsMadeByAddressAndPort() {
        try (Pair pair = pair()) {
            Connected connected = CmTalk.of(pair).connected();
            connected.active().end().qp().assertState(QpState.RTS);
            connected.passive().end().qp().assertState(QpState.RTS);
            connected.assertAlive(1);
        }
    }

    @Rule(
            id = "CM-02",
            text = "The private data of each side reaches the other, padded with zeros to 56 bytes in a"
                    + " request and to 196 in a reply.",
            source = "rdma_connect(3), rdma_accept(3), private_data; IBTA volume 1, 12.6.5, 12.6.8",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the private data of REQ and REP", "the 36 bytes of rdma_cm before the private data of the user"})
    @Property
    default void privateDataReachesTheOtherSide(
            @ForAll @IntRange(min = 0, max = 56) int asked,
            @ForAll @IntRange(min = 0, max = 196) int answered,
            @ForAll byte first) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            talk.asking(CmNumbers.usual().withPrivateData(bytes(asked, first)));
            CmChannel.Requested requested = talk.passive().expectRequest();
            assertPadded(bytes(asked, first), 56, requested.request().privateData(), "a request's private data");
            requested.id().end(QpType.RC);
            requested.id().accept(CmNumbers.usual().withPrivateData(bytes(answered, ~first)));
            CmHappening established = talk.active().expect(CmEventType.ESTABLISHED);
            assertPadded(bytes(answered, ~first), 196, established.privateData(), "an answer's private data");
        }
    }

    @Rule(
            id = "CM-03",
            text = "More private data than a message has room for is refused with EINVAL, and the id remains usable.",
            source = "rdma_connect(3), rdma_accept(3), rdma_reject(3), private_data_len",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the check of lengths before the message is sent"})
    @Property
    default void tooMuchPrivateDataIsRefused(@ForAll @IntRange(min = 1, max = 300) int excess) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Id active = talk.resolved();
            active.end(QpType.RC);
            assertErrno(Errno.EINVAL, () -> active.connect(CmNumbers.usual().withPrivateData(bytes(56 + excess, 0))));
            active.connect(CmNumbers.usual());
            Half passive = talk.asked();
            assertErrno(
                    Errno.EINVAL, () -> passive.id().accept(CmNumbers.usual().withPrivateData(bytes(196 + excess, 0))));
            assertErrno(Errno.EINVAL, () -> passive.id().reject(bytes(148 + excess, 0)));
            passive.id().accept(CmNumbers.usual());
            talk.active().expect(CmEventType.ESTABLISHED);
        }
    }

    @Rule(
            id = "CM-04",
            text = "A connection request shows the active side's depths from the view of the passive side."
                    + " No side is granted a greater depth than the other side offered.",
            source = "rdma_get_cm_event(3), rdma_accept(3), responder_resources and initiator_depth",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CONNECTIONS},
            lookAt = {"the direction of the two depths, which are exchanged between the sides"})
    @Property
    default void depthsAreSeenFromTheOtherSide(
            @ForAll @IntRange(min = 0, max = 4) int resources,
            @ForAll @IntRange(min = 0, max = 4) int depth,
            @ForAll @IntRange(min = 0, max = 4) int ownResources,
            @ForAll @IntRange(min = 0, max = 4) int ownDepth) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Half active = talk.asking(CmNumbers.usual().withDepths(resources, depth));
            CmChannel.Requested requested = talk.passive().expectRequest();
            CmNumbers offered = requested.request().parameters().orElseThrow();
            assertEquals(
                    depth, offered.depths().responderResources(), "READs of the asker, which the asked one serves");
            assertEquals(resources, offered.depths().initiatorDepth(), "READs that the asker serves");
            Half passive = new Half(requested.id(), requested.id().end(QpType.RC));
            passive.id().accept(CmNumbers.usual().withDepths(ownResources, ownDepth));
            CmNumbers agreed =
                    talk.active().expect(CmEventType.ESTABLISHED).parameters().orElseThrow();
            assertEquals(
                    Math.min(resources, ownDepth), agreed.depths().responderResources(), "READs that the asker serves");
            assertEquals(Math.min(depth, ownResources), agreed.depths().initiatorDepth(), "READs of the asker");
            QpAttributes first = active.end().qp().query();
            QpAttributes second = passive.end().qp().query();
            assertEquals(Math.min(depth, ownResources), first.maxRdAtomic(), "READs that the asker's queue pair sends");
            assertEquals(
                    Math.min(depth, ownResources), second.maxDestRdAtomic(), "READs that the other queue pair serves");
        }
    }

    @Rule(
            id = "CM-05",
            text = "Each queue pair has the number of the other, starts with the PSN that the other"
                    + " expects, and has the negotiated retry counts.",
            source = "rdma_connect(3), retry_count and rnr_retry_count; IBTA volume 1, 12.7",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CONNECTIONS},
            lookAt = {"the side that chose each starting PSN"})
    @Property
    default void queuePairsGetWhatWasAgreed(
            @ForAll @IntRange(min = 0, max = 7) int retries,
            @ForAll @IntRange(min = 0, max = 7) int rnrOfAsker,
            @ForAll @IntRange(min = 0, max = 7) int rnrOfAsked) {
        try (Pair pair = pair()) {
            Connected connected = CmTalk.of(pair)
                    .connected(
                            CmNumbers.usual().withRetries(retries, rnrOfAsker),
                            CmNumbers.usual().withRetries(7, rnrOfAsked));
            QpAttributes first = connected.active().end().qp().query();
            QpAttributes second = connected.passive().end().qp().query();
            assertEquals(connected.passive().end().qp().number(), first.destinationQpn(), "destination of the asker's");
            assertEquals(connected.active().end().qp().number(), second.destinationQpn(), "destination of the other's");
            assertEquals(first.sqPsn(), second.rqPsn(), "PSN of what the asker sends");
            assertEquals(second.sqPsn(), first.rqPsn(), "PSN of what the other sends");
            assertEquals(retries, first.retryCount(), "retry count of the asker's");
            assertEquals(retries, second.retryCount(), "retry count of the other's");
            assertEquals(rnrOfAsked, first.rnrRetryCount().code(), "RNR retry count of the asker's");
            assertEquals(rnrOfAsker, second.rnrRetryCount().code(), "RNR retry count of the other's");
        }
    }

    @Rule(
            id = "CM-06",
            text = "A rejection ends in REJECTED with status 28 and the private data, padded to 148 bytes."
                    + " The active side's queue pair moves to ERR.",
            source = "rdma_reject(3); IBTA volume 1, 12.6.7.2, code 28",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the reason in REJ", "the state of the queue pair after it"})
    @Property
    default void aRejectionHasItsReason(@ForAll @IntRange(min = 0, max = 148) int length) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Half active = talk.asking(CmNumbers.usual());
            talk.passive().expectRequest().id().reject(bytes(length, 1));
            CmHappening rejected = talk.active().expect(CmEventType.REJECTED);
            assertEquals(RejectReason.CONSUMER_DEFINED.code(), rejected.status(), "status of REJECTED");
            assertPadded(bytes(length, 1), 148, rejected.privateData(), "a rejection's private data");
            active.end().qp().assertState(QpState.ERR);
        }
    }

    @Rule(
            id = "CM-07",
            text = "A connection request to a port without a listener ends in REJECTED with status 8.",
            source = "rdma_connect(3); IBTA volume 1, 12.6.7.2, code 8",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the response to a REQ for an unknown service ID"})
    @Example
    default void whereNobodyListensAConnectionIsRejected() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            talk.listener().close();
            talk.asking(CmNumbers.usual());
            CmHappening rejected = talk.active().expect(CmEventType.REJECTED);
            assertEquals(RejectReason.INVALID_SERVICE_ID.code(), rejected.status(), "status of REJECTED");
        }
    }

    @Rule(
            id = "CM-08",
            text = "The id of a connection request has the listener's address and port as the local"
                    + " address, and the active side's as the peer address.",
            source = "rdma_get_local_addr(3), rdma_get_peer_addr(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the addresses in the private data of a REQ"})
    @Example
    default void addressesMirrorEachOther() {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Half active = talk.asking(CmNumbers.usual());
            CmChannel.Requested requested = talk.passive().expectRequest();
            assertEquals(talk.listener().handle(), requested.request().listener(), "the listener of the request");
            Reply.Addresses asker = active.id().addresses();
            Reply.Addresses asked = requested.id().addresses();
            assertEquals(asker.local(), asked.peer(), "the asker's address, as the asked one sees it");
            assertEquals(asker.peer(), asked.local(), "the listener's address");
        }
    }

    @Rule(
            id = "CM-09",
            text = "Binding an id to a port that another id holds fails with EADDRINUSE, unless both reuse"
                    + " addresses and neither listens. Closing an id frees its port.",
            source = "rdma_bind_addr(3); rdma_set_option(3), RDMA_OPTION_ID_REUSEADDR",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the table of ports"})
    @Example
    default void aPortIsHeldByOneId() {
        try (Pair pair = pair()) {
            CmChannel channel = CmChannel.open(pair.first());
            Id first = channel.id(PortSpace.TCP);
            first.reuseAddress(true);
            first.bind(0);
            int port = CmTalk.portOf(first);
            Id second = channel.id(PortSpace.TCP);
            assertErrno(Errno.EADDRINUSE, () -> second.bind(port));
            second.reuseAddress(true);
            second.bind(port);
            second.close();
            first.listen(1);
            Id third = channel.id(PortSpace.TCP);
            third.reuseAddress(true);
            assertErrno(Errno.EADDRINUSE, () -> third.bind(port));
            first.close();
            third.bind(port);
        }
    }

    @Rule(
            id = "CM-10",
            text = "An address that no device has is refused with EADDRNOTAVAIL.",
            source = "rdma_bind_addr(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the search for the device of an address"})
    @Example
    default void aForeignAddressIsNotAvailable() {
        try (Pair pair = pair()) {
            Id id = CmChannel.open(pair.first()).id(PortSpace.TCP);
            assertErrno(Errno.EADDRNOTAVAIL, () -> id.bind("203.0.113.77", 0));
            id.bind(0);
        }
    }

    @Rule(
            id = "CM-12",
            text = "A listener queues no more connection requests than its backlog. Reading a request's"
                    + " event makes room for another request, even before the request is answered.",
            source = "rdma_listen(3), backlog; Linux drivers/infiniband/core/ucma.c, ucma_get_event",
            rig = {Needs.CONNECTIONS, Needs.VIRTUAL_TIME},
            lookAt = {"the count of requests whose event was not read"})
    @Property(tries = 10)
    default void theBacklogLimitsRequestsThatWereNotTaken(@ForAll @IntRange(min = 1, max = 3) int backlog) {
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
            text = "An id without a queue pair receives CONNECT_RESPONSE in place of ESTABLISHED. The"
                    + " other side is ESTABLISHED when the id calls establish. A queue pair that is modified"
                    + " with the attributes of rdma_init_qp_attr transfers data.",
            source = "rdma_establish(3), rdma_init_qp_attr(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CM_EXTERNAL_QP},
            lookAt = {"the RTU, which must wait for the call", "the PSNs of the attributes for RTR and RTS"})
    @Property(tries = 4)
    default void anIdWithoutAQueuePairIsCompletedByItsUser(@ForAll boolean bothExternal) {
        try (Pair pair = pair()) {
            CmTalk talk = CmTalk.of(pair);
            Id asker = talk.resolved();
            Half active = new Half(asker, asker.externalEnd());
            active.id().connect(CmNumbers.usual().withQpNumber(active.end().qp().number()));
            CmChannel.Requested requested = talk.passive().expectRequest();
            assertEquals(
                    active.end().qp().number(),
                    requested.request().parameters().orElseThrow().qpNumber(),
                    "the asker's queue pair");
            Half passive = accepted(requested.id(), bothExternal);
            CmHappening response = talk.active().expect(CmEventType.CONNECT_RESPONSE);
            assertEquals(
                    passive.end().qp().number(),
                    response.parameters().orElseThrow().qpNumber(),
                    "the asked one's queue pair");
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
            text = "When an id migrates, its pending events move to the new channel, which also receives"
                    + " the later ones.",
            source = "rdma_migrate_id(3)",
            rig = {Needs.CONNECTIONS},
            lookAt = {"events that are queued when an id migrates"})
    @Example
    default void eventsFollowAnIdThatMigrates() {
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
            assertEquals(0, talk.active().inSilence().size(), "events on the channel that the id left");
            talk.active().close();
        }
    }

    @Rule(
            id = "CM-15",
            text = "Both queue pairs have the type of service that was set as their traffic class.",
            source = "rdma_set_option(3), RDMA_OPTION_ID_TOS",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CONNECTIONS},
            lookAt = {"the traffic class in a REQ, which the passive side adopts"})
    @Property
    default void theTypeOfServiceIsTheTrafficClassOfBoth(@ForAll @IntRange(min = 0, max = 63) int service) {
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
            text = "The queue pair has the ACK timeout that was set.",
            source = "rdma_set_option(3), RDMA_OPTION_ID_ACK_TIMEOUT",
            needs = {Capability.RC, Capability.MANUAL_CONNECT},
            rig = {Needs.CONNECTIONS},
            lookAt = {"the local ACK timeout of a REQ"})
    @Property
    default void theAckTimeoutIsTheQueuePairs(@ForAll @IntRange(min = 0, max = 31) int code) {
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
            id = "CM-17",
            text = "A host that does not exist is reported by ADDR_ERROR or UNREACHABLE with a negative"
                    + " errno, within the timeout of the call.",
            source = "rdma_resolve_addr(3), timeout_ms",
            rig = {Needs.CONNECTIONS, Needs.VIRTUAL_TIME},
            lookAt = {"the deadline of address resolution"})
    @Example
    default void aHostThatIsNotThereIsReported() {
        try (Pair pair = pair()) {
            CmChannel channel = CmChannel.open(pair.first());
            Id id = channel.id(PortSpace.TCP);
            id.resolveAddress("203.0.113.77", 1);
            CmHappening error = channel.expect(CmEventType.ADDR_ERROR, CmEndRules.LONG);
            assertTrue(error.status() < 0, () -> "status of the event is " + error.status());
        }
    }

    @Rule(
            id = "CM-18",
            text = "Two sides that request a connection from each other at the same time get two connections.",
            source = "rdma_connect(3); IBTA volume 1, 12.10.4",
            rig = {Needs.CONNECTIONS},
            lookAt = {"requests from a peer to which this side has a request in flight"})
    @Example
    default void bothSidesMayAskAtTheSameTime() {
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
            text = "A listener that reads each request at once and answers later receives every request,"
                    + " with any backlog.",
            source = "Linux drivers/infiniband/core/ucma.c, ucma_get_event",
            rig = {Needs.CONNECTIONS},
            lookAt = {"the time at which a request no longer counts against the backlog"})
    @Example
    default void requestsThatWereTakenDoNotCountAgainstTheBacklog() {
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
