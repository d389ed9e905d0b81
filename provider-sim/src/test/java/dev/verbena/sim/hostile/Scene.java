// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A device under attack: it has connections of all types with an honest peer, and memory that the attacker must not
 * access.
 */
final class Scene implements AutoCloseable {
    static final String VICTIM = "sim0";
    static final Gid ATTACKER = Gid.parse("192.0.2.66");
    static final int QKEY = 0x1234;
    static final int MTU = 256;
    static final AccessFlag[] ALL = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
    };

    private static final long PAGE = 4096;
    private static final int GUARDED_PAGES = 7;
    private static final long MESSAGE = 600;
    private static final long DATAGRAM = 100;
    private static final long GRH = 40;

    final Lab lab;
    final InjectingFabric injector;
    final Node victim;
    final Node honest;
    final Endpoint reliable;
    final Endpoint unreliable;
    final Endpoint datagrams;
    /** A queue pair that is not ready to receive. */
    final Endpoint idle;

    final FabricPort attacker;
    /** Page 1 of the guarded ones: without remote rights. */
    final MemoryRegion local;
    /** Page 3: the key of a deregistered region. */
    final int staleKey;
    /** Page 5: of another protection domain. */
    final MemoryRegion foreign;

    private final Endpoint honestReliable;
    private final Endpoint honestUnreliable;
    private final Endpoint honestDatagrams;
    private final AddressHandle handle;
    private final MemorySegment guarded;
    private final MemorySegment untouched;
    private final List<Integer> naks = new ArrayList<>();
    private int round;
    int expectedPsn;
    int sendPsn;

    Scene(long seed) throws VerbsException {
        InjectingFabric[] made = new InjectingFabric[1];
        lab = new Lab(new VirtualRuntime(seed), fabric -> made[0] = new InjectingFabric(fabric));
        injector = made[0];
        victim = lab.node(VICTIM, "192.0.2.1");
        honest = lab.node("sim1", "192.0.2.2");
        reliable = victim.endpoint();
        honestReliable = honest.endpoint();
        reliable.connect(honestReliable, Connection.USUAL.granting(ALL).readDepth(4));
        unreliable = victim.endpoint(QpType.UC);
        honestUnreliable = honest.endpoint(QpType.UC);
        unreliable.connect(honestUnreliable, Connection.USUAL);
        datagrams = victim.endpoint(QpType.UD).ready(QKEY);
        honestDatagrams = honest.endpoint(QpType.UD).ready(QKEY);
        handle = honest.domain().createAh(AddressVector.toGid(victim.address(), 1));
        idle = victim.endpoint();
        idle.qp().modify(Connection.USUAL.toInit());
        attacker = lab.fabric().attach("attacker", List.of(ATTACKER), this::onAnswer);
        guarded = victim.arena().allocatePages(GUARDED_PAGES * PAGE);
        for (long i = 0; i < guarded.byteSize(); i++) {
            guarded.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 37 + (i >> 8)));
        }
        untouched = MemorySegment.ofArray(guarded.toArray(ValueLayout.JAVA_BYTE));
        local = victim.domain().registerMemory(guarded.asSlice(PAGE, PAGE), AccessFlag.LOCAL_WRITE);
        MemoryRegion former = victim.domain().registerMemory(guarded.asSlice(3 * PAGE, PAGE), ALL);
        staleKey = former.rkey();
        former.close();
        foreign = victim.device().allocatePd().registerMemory(guarded.asSlice(5 * PAGE, PAGE), ALL);
        honest.fill(0, 1 << 16, 3);
    }

    /** Returns an address in a guarded page. */
    long guardedAddress(int page) {
        return guarded.address() + page * PAGE;
    }

    private void onAnswer(SimPacket packet) {
        if (packet.opcode() == Opcode.RC_ACKNOWLEDGE && packet.aeth().kind() == Aeth.Kind.NAK) {
            naks.add(packet.aeth().syndrome());
        }
        packet.release();
    }

    /** Takes the syndromes of the NAKs that the attacker received. */
    List<Integer> naks() {
        List<Integer> all = List.copyOf(naks);
        naks.clear();
        return all;
    }

    /** Records the PSNs, which an attacker does not know. */
    void note() throws VerbsException {
        QpAttributes now = reliable.qp().query();
        expectedPsn = now.rqPsn().value();
        sendPsn = now.sqPsn().value();
    }

    /** Sends one packet of this kind, and returns the counter that must count it. */
    Counter throwAt(Attack attack, SimPacket packet, SplittableRandom random) {
        Counter expected = attack.make(this, packet, random);
        if (!Attack.SEALED.contains(attack)) {
            packet.seal();
        }
        injector.inject(VICTIM, packet);
        return expected == Counter.DROPPED_REFUSED ? Counter.RCVD_PKTS : expected;
    }

    /** The honest peer uses all connections, and checks the results. */
    void honestRound() {
        round++;
        long offset = (round % 16) * 4096L;
        victim.memory().asSlice(offset, 4096).fill((byte) 0);
        reliable.receive(round, offset, MESSAGE);
        unreliable.receive(round, offset + 1024, MESSAGE);
        datagrams.receive(round, offset + 2048, GRH + DATAGRAM);
        long address = victim.region().address() + offset + 3072;
        honestReliable.post(wr ->
                wr.rdmaWrite(address, victim.region().rkey()).id(1).signaled().sge(honest.region(), offset, MESSAGE));
        honestReliable.send(2, offset, MESSAGE);
        honestReliable.post(wr -> wr.rdmaRead(address, victim.region().rkey())
                .id(3)
                .signaled()
                .sge(honest.region(), (1 << 17) + offset, MESSAGE));
        honestUnreliable.send(4, offset, MESSAGE);
        honestDatagrams.post(wr -> wr.send()
                .id(5)
                .signaled()
                .sge(honest.region(), offset, DATAGRAM)
                .to(handle, datagrams.qp().number(), QKEY));
        lab.settle();
        byte[] message = honest.bytes(offset, MESSAGE);
        assertThat(honestReliable.sends()).containsExactly("RDMA_WRITE 1", "SEND 2", "RDMA_READ 3");
        assertThat(reliable.receives()).containsExactly("RECV " + round + " of " + MESSAGE + " bytes");
        assertThat(honestUnreliable.sends()).containsExactly("SEND 4");
        assertThat(unreliable.receives()).containsExactly("RECV " + round + " of " + MESSAGE + " bytes");
        assertThat(honestDatagrams.sends()).containsExactly("SEND 5");
        assertThat(datagrams.receives()).containsExactly("RECV " + round + " of " + (GRH + DATAGRAM) + " bytes");
        assertThat(victim.bytes(offset, MESSAGE)).isEqualTo(message);
        assertThat(victim.bytes(offset + 1024, MESSAGE)).isEqualTo(message);
        assertThat(victim.bytes(offset + 3072, MESSAGE)).isEqualTo(message);
        assertThat(honest.bytes((1 << 17) + offset, MESSAGE)).isEqualTo(message);
    }

    /** Checks that no protected byte was written, and that no honest connection failed. */
    void check() {
        assertThat(guarded.mismatch(untouched)).as("first byte overwritten").isEqualTo(-1);
        assertThat(reliable.state()).isEqualTo(QpState.RTS);
        assertThat(unreliable.state()).isEqualTo(QpState.RTS);
        assertThat(datagrams.state()).isEqualTo(QpState.RTS);
        assertThat(honestReliable.state()).isEqualTo(QpState.RTS);
    }

    /** Returns the number of packets that the port of the victim has judged. */
    long judged() {
        long sum = victim.count(Counter.RCVD_PKTS);
        for (Counter counter : Attack.AT_THE_PORT) {
            sum += victim.count(counter);
        }
        return sum;
    }

    @Override
    public void close() {
        lab.close();
    }
}
