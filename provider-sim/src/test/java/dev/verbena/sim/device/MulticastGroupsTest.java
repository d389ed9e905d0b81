// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MulticastGroupsTest {
    private static final Gid GROUP = Gid.parse("239.0.0.77");
    private static final int QKEY = 0x1234567;

    private final Lab lab = new Lab();
    private final List<Endpoint> members = new ArrayList<>();
    private Node sending;
    private Node receiving;
    private Endpoint sender;
    private AddressHandle group;

    @BeforeEach
    void start() throws VerbsException {
        sending = lab.node("sim0", "192.0.2.1");
        receiving = lab.node("sim1", "192.0.2.2");
        sender = sending.endpoint(QpType.UD).ready(QKEY);
        group = sending.domain().createAh(AddressVector.toGid(GROUP, 1));
        sending.fill(0, 1000, 3);
        for (int i = 0; i < 3; i++) {
            Endpoint member = receiving.endpoint(QpType.UD).ready(QKEY);
            member.receive(1, 1000L * i, 200);
            members.add(member);
        }
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private void send(int length) {
        sender.post(wr -> wr.send().sge(sending.region(), 0, length).to(group, SendWorkRequest.MULTICAST_QPN, QKEY));
        lab.settle();
    }

    private static void refused(Errno errno, String why, ThrowingCallable call) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(call)
                .withMessageContaining(why)
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(errno));
    }

    @Test
    void everyAttachedQueuePairGetsTheDatagramAndNoOther() throws VerbsException {
        members.get(0).qp().attachMulticast(GROUP, 0);
        members.get(2).qp().attachMulticast(GROUP, 0);
        members.get(1).qp().attachMulticast(Gid.parse("239.0.0.78"), 0);
        send(100);
        assertThat(members.get(0).receives()).containsExactly("RECV 1 of 140 bytes");
        assertThat(members.get(1).receives()).isEmpty();
        assertThat(members.get(2).receives()).containsExactly("RECV 1 of 140 bytes");
        assertThat(receiving.bytes(40, 100)).isEqualTo(sending.bytes(0, 100));
        assertThat(receiving.bytes(2040, 100)).isEqualTo(sending.bytes(0, 100));
        assertThat(mapped(receiving.bytes(36, 4))).isEqualTo(GROUP);
    }

    private static Gid mapped(byte[] ipv4) {
        return new Gid(0, 0xFFFF_0000_0000L | (ByteBuffer.wrap(ipv4).getInt() & 0xFFFF_FFFFL));
    }

    @Test
    void eachMemberMakesItsOwnChecks() throws VerbsException {
        for (Endpoint member : members) {
            member.qp().attachMulticast(GROUP, 0);
        }
        members.get(0).qp().modify(QpAttributes.builder().qkey(QKEY + 1).build());
        members.get(1).qp().modify(QpAttributes.reset());
        send(10);
        assertThat(members.get(0).receives()).isEmpty();
        assertThat(members.get(2).receives()).containsExactly("RECV 1 of 50 bytes");
        assertThat(receiving.count(Counter.DROPPED_QKEY)).isEqualTo(1);
        assertThat(receiving.count(Counter.DROPPED_QP_STATE)).isEqualTo(1);
        assertThat(receiving.count(Counter.RCVD_PKTS)).isEqualTo(1);
    }

    @Test
    void attachingTwiceIsAttachingOnce() throws VerbsException {
        Endpoint member = members.getFirst();
        member.receive(2, 500, 200);
        member.qp().attachMulticast(GROUP, 0);
        member.qp().attachMulticast(GROUP, 0);
        send(10);
        assertThat(member.receives()).hasSize(1);
        member.qp().detachMulticast(GROUP, 0);
        refused(Errno.EINVAL, "is not attached to group", () -> member.qp().detachMulticast(GROUP, 0));
        send(10);
        assertThat(member.receives()).isEmpty();
    }

    @Test
    void anAttachedQueuePairIsBusy() throws VerbsException {
        Endpoint member = members.getFirst();
        member.qp().attachMulticast(GROUP, 0);
        refused(
                Errno.EBUSY,
                "multicast group ::ffff:239.0.0.77",
                () -> member.qp().close());
        send(10);
        assertThat(member.receives()).hasSize(1);
        member.qp().detachMulticast(GROUP, 0);
        member.qp().close();
    }

    @Test
    void theSendingDeviceGetsItsOwnDatagramIfItIsAMember() throws VerbsException {
        sender.receive(1, 5000, 200);
        sender.qp().attachMulticast(GROUP, 0);
        send(10);
        assertThat(sender.receives()).containsExactly("RECV 1 of 50 bytes");
    }

    @Test
    void onlyDatagramQueuePairsAndGroupsGoTogether() throws VerbsException {
        Endpoint connected = receiving.endpoint();
        refused(Errno.EINVAL, "only UD", () -> connected.qp().attachMulticast(GROUP, 0));
        refused(Errno.EINVAL, "not a multicast group", () -> sender.qp().attachMulticast(Gid.parse("192.0.2.2"), 0));
        Node deaf = lab.node(
                "sim2",
                "192.0.2.3",
                profile -> profile.toBuilder().without(Capability.UD_MULTICAST).build());
        Endpoint other = deaf.endpoint(QpType.UD);
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() -> other.qp().attachMulticast(GROUP, 0));
    }

    @Test
    void theLimitsAreKept() throws VerbsException {
        Node small = lab.node("sim2", "192.0.2.3", MulticastGroupsTest::withSmallLimits);
        List<Endpoint> pairs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            pairs.add(small.endpoint(QpType.UD));
        }
        Gid second = Gid.parse("239.0.0.2");
        Gid third = Gid.parse("239.0.0.3");
        pairs.get(0).qp().attachMulticast(GROUP, 0);
        pairs.get(1).qp().attachMulticast(GROUP, 0);
        refused(
                Errno.ENOMEM,
                "limit of 2 queue pairs in group",
                () -> pairs.get(2).qp().attachMulticast(GROUP, 0));
        pairs.get(0).qp().attachMulticast(second, 0);
        refused(Errno.ENOMEM, "limit of 3 attachments", () -> pairs.get(1).qp().attachMulticast(second, 0));
        pairs.get(1).qp().detachMulticast(GROUP, 0);
        refused(
                Errno.ENOMEM,
                "limit of 2 multicast groups",
                () -> pairs.get(1).qp().attachMulticast(third, 0));
        pairs.get(0).qp().detachMulticast(GROUP, 0);
        pairs.get(1).qp().attachMulticast(third, 0);
        // The refused attachment keeps no object open.
        pairs.get(2).qp().close();
    }

    private static DeviceProfile withSmallLimits(DeviceProfile profile) {
        return profile.toBuilder()
                .attributes(profile.attributes().toBuilder()
                        .maxMcastGroups(2)
                        .maxMcastQpAttach(2)
                        .maxTotalMcastQpAttach(3)
                        .build())
                .build();
    }

    @Test
    void aGroupsAddressAndTheNumberForGroupsGoTogether() throws VerbsException {
        Endpoint member = members.getFirst();
        member.qp().attachMulticast(GROUP, 0);
        AddressHandle direct = sending.domain().createAh(AddressVector.toGid(receiving.address(), 1));
        sender.post(wr -> wr.send().to(direct, SendWorkRequest.MULTICAST_QPN, QKEY));
        sender.post(wr -> wr.send().to(group, member.qp().number(), QKEY));
        lab.settle();
        assertThat(receiving.count(Counter.DROPPED_UNKNOWN_QP)).isEqualTo(2);
        assertThat(member.receives()).isEmpty();
    }

    @Test
    void connectedQueuePairsOfTheGroupsDeviceStayUndisturbed() throws VerbsException {
        Endpoint left = sending.endpoint();
        Endpoint right = receiving.endpoint();
        left.connect(right, Connection.USUAL);
        members.getFirst().qp().attachMulticast(GROUP, 0);
        right.receive(1, 5000, 100);
        send(10);
        left.send(1, 0, 64);
        lab.settle();
        assertThat(right.receives()).containsExactly("RECV 1 of 64 bytes");
        assertThat(members.getFirst().receives()).hasSize(1);
    }
}
