// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.hostile;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Transport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The attacker as a peer: queue pairs of the victim that are connected to it, with outstanding requests. */
final class AttackingPeer {
    private static final long PAGE = 4096;
    private static final int PAGES = 7;
    private static final int GRANTED = 1;
    private static final int RECEIVES = 3;
    private static final int SENDS = 5;
    private static final int SLOT = 512;
    private static final int SLOTS = 8;
    private static final Connection CONNECTION =
            Connection.USUAL.granting(Scene.ALL).readDepth(4);

    private final Scene scene;
    private final MemorySegment memory;
    private final MemorySegment untouched;
    private final MemoryRegion granted;
    private final MemoryRegion receives;
    private final MemoryRegion sends;
    private final Endpoint reliable;
    private final Endpoint unreliable;
    private final Endpoint datagrams;

    AttackingPeer(Scene scene) throws VerbsException {
        this.scene = scene;
        memory = scene.victim.arena().allocatePages(PAGES * PAGE);
        for (long i = 0; i < memory.byteSize(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 29 + (i >> 7)));
        }
        untouched = MemorySegment.ofArray(memory.toArray(ValueLayout.JAVA_BYTE));
        granted = scene.victim.domain().registerMemory(page(GRANTED), Scene.ALL);
        receives = scene.victim.domain().registerMemory(page(RECEIVES), AccessFlag.LOCAL_WRITE);
        sends = scene.victim.domain().registerMemory(page(SENDS), AccessFlag.LOCAL_WRITE);
        reliable = scene.victim.endpoint();
        unreliable = scene.victim.endpoint(QpType.UC);
        datagrams = scene.victim.endpoint(QpType.UD).ready(Scene.QKEY ^ 1);
        connect(reliable);
        connect(unreliable);
        postReceives(datagrams);
    }

    private MemorySegment page(int number) {
        return memory.asSlice(number * PAGE, PAGE);
    }

    private void connect(Endpoint endpoint) throws VerbsException {
        CONNECTION.apply(endpoint.qp(), Scene.ATTACKER, 17);
        postReceives(endpoint);
        if (endpoint == reliable) {
            endpoint.post(wr -> wr.send().id(1).signaled().sge(sends, 0, SLOT));
            endpoint.post(wr -> wr.rdmaRead(0, 1).id(2).signaled().sge(sends, SLOT, 3L * SLOT));
            endpoint.post(wr -> wr.fetchAndAdd(0, 1, 1).id(3).signaled().sge(sends, 0, Long.BYTES));
            endpoint.post(wr -> wr.atomicWrite(0, 1).id(4).signaled().sge(sends, 0, Long.BYTES));
        }
    }

    private void postReceives(Endpoint endpoint) {
        for (int i = 0; i < SLOTS; i++) {
            int slot = i;
            endpoint.receive(wr -> wr.id(slot).sge(receives, (long) slot * SLOT, SLOT));
        }
    }

    /** Returns the completions, and whether a queue pair has failed; reconnects failed ones. */
    List<String> recover() throws VerbsException {
        List<String> seen = new ArrayList<>();
        for (Endpoint endpoint : List.of(reliable, unreliable, datagrams)) {
            List<String> received = endpoint.receives();
            seen.addAll(received);
            seen.addAll(endpoint.sends());
            for (String one : received) {
                int slot = Integer.parseInt(one.split(" ")[1]);
                if (endpoint.state() == QpState.RTS) {
                    endpoint.receive(wr -> wr.id(slot).sge(receives, (long) slot * SLOT, SLOT));
                }
            }
        }
        return seen;
    }

    boolean hasEnded() {
        return reliable.state() != QpState.RTS || unreliable.state() != QpState.RTS || datagrams.state() != QpState.RTS;
    }

    /** Reconnects all queue pairs. */
    void reconnect() throws VerbsException {
        for (Endpoint endpoint : List.of(reliable, unreliable)) {
            endpoint.qp().modify(QpAttributes.reset());
            connect(endpoint);
        }
        if (datagrams.state() != QpState.RTS) {
            datagrams.qp().modify(QpAttributes.reset());
            postReceives(datagrams.ready(Scene.QKEY ^ 1));
        }
    }

    /** Writes a packet of a queue pair's own peer: addresses and ICRC are valid, the rest is nearly so. */
    void write(SimPacket packet, SplittableRandom random) throws VerbsException {
        int which = random.nextInt(10);
        Endpoint endpoint = which == 0 ? datagrams : which < 3 ? unreliable : reliable;
        Transport transport = which == 0 ? Transport.UD : which < 3 ? Transport.UC : Transport.RC;
        Opcode opcode = Attack.any(random, transport);
        Attack.begin(scene, packet, Scene.ATTACKER, opcode);
        QpAttributes now = endpoint.qp().query();
        int off = random.nextInt(3) == 0 ? random.nextInt(-4, 5) : 0;
        int psn = opcode.isResponse()
                ? Psn.add(CONNECTION.sendPsn(), random.nextInt(8))
                : which == 0 ? 0 : Psn.add(now.rqPsn().value(), off);
        Attack.to(packet, endpoint, psn);
        Attack.fill(scene, packet, random);
        if (opcode.hasPayload()) {
            Attack.payload(packet, length(random), random);
        }
        aim(packet, random);
        if (random.nextInt(3) == 0) {
            packet.seal();
            Attack.mutate(packet, random);
        } else {
            packet.seal();
        }
    }

    private static int length(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> Scene.MTU;
            case 1 -> Long.BYTES;
            case 2 -> random.nextInt(Scene.MTU);
            default -> Scene.MTU + random.nextInt(9) - 4;
        };
    }

    private void aim(SimPacket packet, SplittableRandom random) {
        Opcode opcode = packet.opcode();
        int key = switch (random.nextInt(6)) {
            case 0 -> receives.rkey();
            case 1 -> scene.foreign.rkey();
            case 2 -> granted.rkey() ^ random.nextInt(256);
            default -> granted.rkey();
        };
        long address = granted.address() + random.nextInt(-8, (int) PAGE + 8);
        if (opcode.has(Extension.RETH)) {
            int length =
                    random.nextInt(4) == 0 ? random.nextInt() : Math.max(packet.payloadLength(), random.nextInt(700));
            packet.reth()
                    .virtualAddress(address)
                    .remoteKey(key)
                    .dmaLength(random.nextBoolean() ? packet.payloadLength() : length);
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            packet.atomicEth()
                    .virtualAddress(random.nextBoolean() ? address & -8 : address)
                    .remoteKey(key);
        }
        if (opcode.has(Extension.IETH)) {
            packet.ieth().remoteKey(key);
        }
        if (opcode.has(Extension.DETH)) {
            packet.deth().initialize(Scene.QKEY ^ 1, 17);
        }
    }

    /** Returns -1 if the pages beside the granted ones are unchanged, else the offset of a changed byte. */
    long overwritten() {
        for (int page = 0; page < PAGES; page += 2) {
            long from = page * PAGE;
            long at = MemorySegment.mismatch(memory, from, from + PAGE, untouched, from, from + PAGE);
            if (at >= 0) {
                return from + at;
            }
        }
        return -1;
    }
}
