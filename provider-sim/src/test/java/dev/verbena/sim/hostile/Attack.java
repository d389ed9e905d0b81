// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.PacketDefect;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The packets that an attacker outside the path between the victim and its peer can send, and the counter of each. */
enum Attack {
    UNKNOWN_QP {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, random.nextBoolean() ? Scene.ATTACKER : scene.honest.address(), any(random));
            packet.bth().destinationQpn(unusedNumber(scene, random)).psn(random.nextInt(1 << 24));
            fill(scene, packet, random);
            return Counter.DROPPED_UNKNOWN_QP;
        }
    },
    STRANGER {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            boolean reliable = random.nextBoolean();
            begin(scene, packet, Scene.ATTACKER, any(random, reliable ? Transport.RC : Transport.UC));
            to(packet, reliable ? scene.reliable : scene.unreliable, scene.expectedPsn);
            fill(scene, packet, random);
            return Counter.DROPPED_ADDRESS;
        }
    },
    NOT_FOR_US {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            Gid peer = scene.honest.address();
            packet.begin(peer.high(), peer.low(), peer.high(), peer.low(), 0xC000, 0, 64);
            packet.beginTransport(any(random, Transport.RC));
            to(packet, scene.reliable, scene.expectedPsn);
            fill(scene, packet, random);
            return Counter.DROPPED_ADDRESS;
        }
    },
    WRONG_TRANSPORT {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(
                    scene,
                    packet,
                    scene.honest.address(),
                    any(random, random.nextBoolean() ? Transport.UC : Transport.UD));
            to(packet, scene.reliable, scene.expectedPsn);
            fill(scene, packet, random);
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
    },
    CONGESTION {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, scene.honest.address(), Opcode.CNP);
            to(packet, scene.reliable, random.nextInt(1 << 24));
            fill(scene, packet, random);
            return Counter.DROPPED_CNP;
        }
    },
    NOT_READY {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, scene.honest.address(), any(random, Transport.RC));
            to(packet, scene.idle, random.nextInt(1 << 24));
            fill(scene, packet, random);
            return Counter.DROPPED_QP_STATE;
        }
    },
    PKEY {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, scene.honest.address(), any(random, Transport.RC));
            to(packet, scene.reliable, scene.expectedPsn);
            packet.bth().partitionKey(random.nextInt(0x7FFF));
            fill(scene, packet, random);
            return Counter.DROPPED_PKEY;
        }
    },
    QKEY {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, Scene.ATTACKER, any(random, Transport.UD));
            to(packet, scene.datagrams, random.nextInt(1 << 24));
            fill(scene, packet, random);
            packet.deth().initialize(Scene.QKEY ^ (1 << random.nextInt(32)), 17);
            return Counter.DROPPED_QKEY;
        }
    },
    BAD_ICRC {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, scene.honest.address(), any(random, Transport.RC));
            to(packet, scene.reliable, scene.expectedPsn);
            fill(scene, packet, random);
            packet.seal();
            packet.icrc(packet.icrc() ^ (1 << random.nextInt(32)));
            return Counter.DROPPED_ICRC;
        }
    },
    /** Random bytes. */
    NOISE {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, Scene.ATTACKER, Opcode.RC_SEND_ONLY);
            fill(scene, packet, random);
            byte[] noise = new byte[packet.length()];
            random.nextBytes(noise);
            MemorySegment.copy(noise, 0, packet.segment(), ValueLayout.JAVA_BYTE, 0, noise.length);
            return judge(packet);
        }
    },
    /** A packet with nearly valid headers, or a truncated one. */
    BAD_HEADER {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            Counter found;
            do {
                begin(scene, packet, scene.honest.address(), any(random, Transport.RC));
                to(packet, scene.reliable, scene.expectedPsn);
                fill(scene, packet, random);
                packet.seal();
                mutate(packet, random);
                found = judge(packet);
            } while (found == Counter.RCVD_PKTS);
            return found;
        }
    },
    /** A spoofed request outside the window: the peer gets an ACK or a NAK, and ignores it. */
    PSN_OF_REQUEST {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            Opcode opcode = any(random, Transport.RC);
            while (!opcode.isRequest()) {
                opcode = any(random, Transport.RC);
            }
            begin(scene, packet, scene.honest.address(), opcode);
            int distance = random.nextInt(1 << 12, 1 << 23);
            to(packet, scene.reliable, Psn.add(scene.expectedPsn, random.nextBoolean() ? distance : -distance));
            fill(scene, packet, random);
            return Counter.RCVD_PKTS;
        }
    },
    PSN_OF_RESPONSE {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, scene.honest.address(), RESPONSES.get(random.nextInt(RESPONSES.size())));
            int distance = random.nextInt(1 << 12, 1 << 23);
            to(packet, scene.reliable, Psn.add(scene.sendPsn, random.nextBoolean() ? distance : -distance));
            fill(scene, packet, random);
            return Counter.RCVD_PKTS;
        }
    },
    /** A WRITE to an unreliable connection, with a key that does not grant it. */
    KEYS {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(
                    scene,
                    packet,
                    scene.honest.address(),
                    random.nextBoolean() ? Opcode.UC_RDMA_WRITE_ONLY : Opcode.UC_RDMA_WRITE_FIRST);
            to(packet, scene.unreliable, random.nextInt(1 << 24));
            int length = packet.opcode().isFirst() ? Scene.MTU : random.nextInt(1, Scene.MTU);
            payload(packet, length, random);
            int which = random.nextInt(5);
            packet.reth()
                    .virtualAddress(
                            which == 4
                                    ? scene.victim.region().address() - random.nextInt(1, 1 << 20)
                                    : scene.guardedAddress(1 + 2 * Math.min(2, which)))
                    .remoteKey(
                            switch (which) {
                                case 0 -> scene.local.rkey();
                                case 1 -> scene.staleKey;
                                case 2 -> scene.foreign.rkey();
                                case 3 -> scene.local.rkey() ^ random.nextInt(1, 256);
                                default -> scene.victim.region().rkey();
                            })
                    .dmaLength(packet.opcode().isFirst() ? 2 * Scene.MTU : length);
            return Counter.DROPPED_REFUSED;
        }
    },
    MANAGEMENT {
        @Override
        Counter make(Scene scene, SimPacket packet, SplittableRandom random) {
            begin(scene, packet, Scene.ATTACKER, Opcode.UD_SEND_ONLY);
            packet.bth().destinationQpn(1).psn(random.nextInt(1 << 24));
            int which = random.nextInt(3);
            packet.deth().initialize(which == 0 ? random.nextInt(1 << 30) : Deth.GSI_QUEUE_KEY, 1);
            payload(packet, which == 1 ? random.nextInt(256) : 256, random);
            return switch (which) {
                case 0 -> Counter.DROPPED_QKEY;
                case 1 -> Counter.DROPPED_MALFORMED;
                default -> Counter.DROPPED_UNMANAGED;
            };
        }
    };

    /** Each packet that arrives at a port is counted by one of these, or by RCVD_PKTS. */
    static final Set<Counter> AT_THE_PORT = EnumSet.of(
            Counter.DROPPED_MALFORMED,
            Counter.DROPPED_ICRC,
            Counter.DROPPED_ADDRESS,
            Counter.DROPPED_UNKNOWN_QP,
            Counter.DROPPED_WRONG_TRANSPORT,
            Counter.DROPPED_CNP,
            Counter.DROPPED_QP_STATE,
            Counter.DROPPED_PKEY,
            Counter.DROPPED_QKEY,
            Counter.DROPPED_UNMANAGED);

    /** These compute the ICRC themselves. */
    static final Set<Attack> SEALED = EnumSet.of(BAD_ICRC, NOISE, BAD_HEADER);

    private static final byte IPV4_WITHOUT_OPTIONS = 0x45;
    /** The first number after those of QP0 and QP1. */
    private static final int FIRST_ORDINARY = 2;

    private static final List<Opcode> OPCODES = List.of(Opcode.values());
    static final List<Opcode> RESPONSES =
            OPCODES.stream().filter(Opcode::isResponse).toList();
    private static final RocePacket COPY = new RocePacket(Arena.ofAuto());

    /** Returns an unused number; the numbers of a device begin anywhere. */
    private static int unusedNumber(Scene scene, SplittableRandom random) {
        int number = random.nextInt(FIRST_ORDINARY, 1 << 24);
        for (Endpoint used : List.of(scene.reliable, scene.unreliable, scene.datagrams, scene.idle)) {
            if (used.qp().number() == number) {
                return unusedNumber(scene, random);
            }
        }
        return number;
    }

    /** Writes the packet, and returns the counter that must count it. */
    abstract Counter make(Scene scene, SimPacket packet, SplittableRandom random);

    static Opcode any(SplittableRandom random) {
        return OPCODES.get(random.nextInt(OPCODES.size()));
    }

    static Opcode any(SplittableRandom random, Transport transport) {
        Opcode opcode = any(random);
        while (opcode.transport() != transport) {
            opcode = any(random);
        }
        return opcode;
    }

    static void begin(Scene scene, SimPacket packet, Gid source, Opcode opcode) {
        Gid victim = scene.victim.address();
        packet.begin(source.high(), source.low(), victim.high(), victim.low(), 0xC000, 0, 64);
        packet.beginTransport(opcode);
    }

    static void to(SimPacket packet, Endpoint endpoint, int psn) {
        packet.bth().destinationQpn(endpoint.qp().number()).psn(psn);
    }

    static void payload(SimPacket packet, int length, SplittableRandom random) {
        packet.payloadLength(length);
        packet.segment().asSlice(packet.payloadOffset(), length).fill((byte) random.nextInt());
    }

    /** Writes headers that would be granted if the rest were valid, and a payload. */
    static void fill(Scene scene, SimPacket packet, SplittableRandom random) {
        Opcode opcode = packet.opcode();
        payload(packet, opcode.hasPayload() ? random.nextInt(Scene.MTU + 1) : 0, random);
        packet.bth().ackRequest(random.nextBoolean()).solicitedEvent(random.nextBoolean());
        long address = scene.victim.region().address() + random.nextInt(1 << 16);
        int key = scene.victim.region().rkey();
        if (opcode.has(Extension.RETH)) {
            packet.reth().virtualAddress(address).remoteKey(key).dmaLength(packet.payloadLength());
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            packet.atomicEth()
                    .virtualAddress(address & -8)
                    .remoteKey(key)
                    .swapOrAdd(random.nextLong())
                    .compare(0);
        }
        if (opcode.has(Extension.AETH)) {
            packet.aeth().initialize(random.nextBoolean() ? Aeth.SYNDROME_ACK_UNLIMITED : random.nextInt(256), 1);
        }
        if (opcode.has(Extension.FETH)) {
            packet.feth().initialize(random.nextInt(3), random.nextInt(4));
        }
        if (opcode.has(Extension.IETH)) {
            packet.ieth().remoteKey(key);
        }
        if (opcode.has(Extension.DETH)) {
            packet.deth().initialize(Scene.QKEY, 17);
        }
    }

    /** Changes bits of the headers, and recomputes the ICRC if it still has a place. */
    static void mutate(SimPacket packet, SplittableRandom random) {
        int length = packet.length();
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
            int at = random.nextInt(Math.min(length, 60));
            byte old = packet.segment().get(ValueLayout.JAVA_BYTE, at);
            packet.segment().set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ (1 << random.nextInt(8))));
        }
        packet.ipv4Header().headerChecksum(packet.ipv4Header().computeChecksum());
        if (packet.segment().get(ValueLayout.JAVA_BYTE, 0) == IPV4_WITHOUT_OPTIONS && random.nextInt(4) > 0) {
            packet.seal();
        }
    }

    /** Returns the port's verdict on the bytes alone. */
    static Counter judge(SimPacket packet) {
        MemorySegment.copy(packet.segment(), 0, COPY.segment(), 0, packet.length());
        if (COPY.parse(packet.length()) != PacketDefect.OK) {
            return Counter.DROPPED_MALFORMED;
        }
        return COPY.icrcValid() ? Counter.RCVD_PKTS : Counter.DROPPED_ICRC;
    }

    static List<Attack> all() {
        return Arrays.asList(values());
    }
}
