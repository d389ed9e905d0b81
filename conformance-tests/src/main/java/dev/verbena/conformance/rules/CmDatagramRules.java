// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.MulticastRole;
import dev.verbena.cm.PortSpace;
import dev.verbena.cm.UdParameters;
import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.rules.CmTalk.Half;
import dev.verbena.conformance.side.CmChannel;
import dev.verbena.conformance.side.CmEventRecord;
import dev.verbena.conformance.side.CmNumbers;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Id;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpType;

/** The rules of rule area CM about UD over rdma_cm (SIDR) and multicast groups. */
public interface CmDatagramRules extends RuleSet {
    String GROUP = "239.1.2.3";

    private static CmTalk talk(Pair pair) {
        return CmTalk.of(pair, PortSpace.UDP, 10);
    }

    /** Sends a datagram with the address, queue pair number and Q_Key from a CM event. */
    private static void send(End from, UdParameters to) {
        Send.Destination destination = from.pd().ah(to.address()).qp(to.qpNumber(), to.qkey());
        from.send(Send.send(1).from(from.sge(0, 8)).to(destination));
        from.sends().awaitIds(1L);
    }

    @Rule(
            id = "CM-40",
            text = "The event ESTABLISHED reports the queue pair number, the Q_Key and the path of a datagram service"
                    + " to the active side. A datagram arrives if it is sent with the queue pair number, the Q_Key and"
                    + " the path that ESTABLISHED reports.",
            source = "rdma_connect(3) (unconnected datagrams); IBTA volume 1, section 12.11",
            needs = {Capability.UD},
            rig = {Needs.CM_DATAGRAMS},
            lookAt = {"the queue pair number and the Q_Key in a SIDR_REP"})
    default void theActiveSideGetsTheAddressOfADatagramService() {
        try (Pair pair = pair()) {
            CmTalk talk = talk(pair);
            Half active = talk.asking(CmNumbers.usual());
            Half passive = talk.asked();
            passive.id().accept(CmNumbers.usual());
            UdParameters found =
                    talk.active().expect(CmEventType.ESTABLISHED).datagrams().orElseThrow();
            assertEquals(passive.end().qp().number(), found.qpNumber(), "queue pair of the service");
            passive.end().receive(7, 0, 256);
            send(active.end(), found);
            passive.end().receives().awaitIds(7L);
        }
    }

    @Rule(
            id = "CM-41",
            text = "For datagram services, a SIDR_REQ has 180 bytes of private data, and a SIDR_REP has 136 bytes."
                    + " Connecting or accepting with more private data in these messages fails with EINVAL.",
            source = "rdma_connect(3) and rdma_accept(3) (private_data_len); IBTA volume 1, sections 12.11.1 and"
                    + " 12.11.2",
            needs = {Capability.UD},
            rig = {Needs.CM_DATAGRAMS},
            lookAt = {"the private data in SIDR_REQ and SIDR_REP"})
    default void sidrMessagesHavePrivateData(
            @IntRange(min = 0, max = 180) int asked, @IntRange(min = 0, max = 136) int answered) {
        try (Pair pair = pair()) {
            CmTalk talk = talk(pair);
            Id active = talk.resolved();
            assertErrno(Errno.EINVAL, () -> active.connect(CmNumbers.usual().withPrivateData(new byte[181])));
            byte[] question = new byte[asked];
            java.util.Arrays.fill(question, (byte) 5);
            active.connect(CmNumbers.usual().withPrivateData(question));
            CmChannel.Requested requested = talk.passive().expectRequest();
            assertTrue(
                    java.util.Arrays.equals(
                            java.util.Arrays.copyOf(question, 180),
                            requested.request().privateData()),
                    "the private data of the SIDR_REQ differs from the sent data");
            requested.id().end(QpType.UD);
            assertErrno(
                    Errno.EINVAL, () -> requested.id().accept(CmNumbers.usual().withPrivateData(new byte[137])));
            byte[] answer = new byte[answered];
            java.util.Arrays.fill(answer, (byte) 6);
            requested.id().accept(CmNumbers.usual().withPrivateData(answer));
            assertTrue(
                    java.util.Arrays.equals(
                            java.util.Arrays.copyOf(answer, 136),
                            talk.active().expect(CmEventType.ESTABLISHED).privateData()),
                    "the private data of the SIDR_REP differs from the sent data");
        }
    }

    @Rule(
            id = "CM-42",
            text = "A request to a datagram service raises UNREACHABLE with status 2 if the service rejects it, and"
                    + " with status 1 if the service does not exist.",
            source = "rdma_reject(3); IBTA volume 1, section 12.11.2.1",
            needs = {Capability.UD},
            rig = {Needs.CM_DATAGRAMS},
            lookAt = {"the status in the SIDR_REP"},
            tries = 10)
    default void aRejectedSidrRequestRaisesUnreachable(boolean there) {
        try (Pair pair = pair()) {
            CmTalk talk = talk(pair);
            if (!there) {
                talk.listener().close();
            }
            talk.asking(CmNumbers.usual());
            if (there) {
                talk.passive().expectRequest().id().reject(new byte[0]);
            }
            CmEventRecord refused = talk.active().expect(CmEventType.UNREACHABLE);
            assertEquals(there ? 2 : 1, refused.status(), "status of UNREACHABLE");
        }
    }

    @Rule(
            id = "CM-43",
            text = "A connection id for datagrams has no connection: disconnect and establish are refused with EINVAL.",
            source = "rdma_disconnect(3); rdma_establish(3)",
            needs = {Capability.UD},
            rig = {Needs.CM_DATAGRAMS},
            lookAt = {"the state checks of the calls that require a connection"})
    default void aDatagramIdCannotDisconnect() {
        try (Pair pair = pair()) {
            CmTalk talk = talk(pair);
            Half active = talk.asking(CmNumbers.usual());
            talk.asked().id().accept(CmNumbers.usual());
            talk.active().expect(CmEventType.ESTABLISHED);
            assertErrno(Errno.EINVAL, () -> active.id().disconnect());
            assertErrno(Errno.EINVAL, () -> active.id().establish());
        }
    }

    /** Returns a connection id that is bound and has a queue pair. */
    private static Half member(CmChannel channel) {
        Id id = channel.id(PortSpace.UDP);
        id.bind(0);
        return new Half(id, id.end(QpType.UD));
    }

    @Rule(
            id = "CM-44",
            text = "The event MULTICAST_JOIN reports the address of the multicast group. Until a member leaves the"
                    + " group, the member receives the datagrams that are sent to this address.",
            source = "rdma_join_multicast(3); rdma_leave_multicast(3)",
            needs = {Capability.UD, Capability.UD_MULTICAST},
            rig = {Needs.CM_MULTICAST},
            lookAt = {"the attachment of the connection id's queue pair to the multicast group"})
    default void aMemberReceivesTheDatagramsOfItsGroup() {
        try (Pair pair = pair()) {
            CmChannel first = CmChannel.open(pair.first());
            CmChannel second = CmChannel.open(pair.second());
            Half sender = member(first);
            Half receiver = member(second);
            sender.id().join(GROUP, MulticastRole.SEND_ONLY);
            UdParameters group =
                    first.expect(CmEventType.MULTICAST_JOIN).datagrams().orElseThrow();
            receiver.id().join(GROUP, MulticastRole.FULL_MEMBER);
            second.expect(CmEventType.MULTICAST_JOIN);
            receiver.end().receive(1, 0, 256);
            receiver.end().receive(2, 0, 256);
            send(sender.end(), group);
            receiver.end().receives().awaitIds(1L);
            receiver.id().leave(GROUP);
            send(sender.end(), group);
            receiver.end().qp().assertQuiet();
            sender.id().leave(GROUP);
        }
    }

    @Rule(
            id = "CM-45",
            text = "A member that joined a multicast group only for sending receives no datagram of the group. Leaving"
                    + " a multicast group that was not joined is refused with EADDRNOTAVAIL.",
            source = "rdma_join_multicast_ex(3) (RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER)",
            needs = {Capability.UD, Capability.UD_MULTICAST},
            rig = {Needs.CM_MULTICAST},
            lookAt = {"the role with which a member joined the multicast group"})
    default void aSendOnlyMemberReceivesNothing() {
        try (Pair pair = pair()) {
            CmChannel first = CmChannel.open(pair.first());
            CmChannel second = CmChannel.open(pair.second());
            Half sender = member(first);
            Half other = member(second);
            sender.id().join(GROUP, MulticastRole.SEND_ONLY);
            UdParameters group =
                    first.expect(CmEventType.MULTICAST_JOIN).datagrams().orElseThrow();
            other.id().join(GROUP, MulticastRole.SEND_ONLY);
            second.expect(CmEventType.MULTICAST_JOIN);
            other.end().receive(1, 0, 256);
            send(sender.end(), group);
            other.end().qp().assertQuiet();
            other.id().leave(GROUP);
            sender.id().leave(GROUP);
            assertErrno(Errno.EADDRNOTAVAIL, () -> other.id().leave(GROUP));
        }
    }
}
