// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The memory that the peer uses, under the keys and addresses in its packets, with the contents that the answers show.
 */
final class OwnMemory {
    private static final int KEY_BITS = 8;
    private static final long PAGE = 4096;
    private static final long WINDOW_OFFSET = 8192;
    private static final long WINDOW_LENGTH = 4096;

    /** The memory that a key grants access to. */
    private static final class Extent {
        private long start;
        private long length;
        private final Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE);
        private MemorySegment bytes = MemorySegment.NULL;

        void include(long from, long bytes, AccessFlag flag) {
            if (length == 0) {
                start = from;
            } else if (Long.compareUnsigned(from, start) < 0) {
                length += start - from;
                start = from;
            }
            length = Math.max(length, from - start + bytes);
            access.add(flag);
        }
    }

    private final Setting setting;
    private final KeyedRuntime runtime;
    private final ProtectionDomain domain;
    private final VerbsArena arena;
    private final MemorySegment spare;
    private int lastIndex;
    private final Map<Integer, Extent> extents = new TreeMap<>(Integer::compareUnsigned);
    private final Map<Integer, RocePacket> answers = new HashMap<>();
    private final Map<Integer, RocePacket> naks = new HashMap<>();
    private final Set<Long> filled = new HashSet<>();

    OwnMemory(Role role, KeyedRuntime runtime, ProtectionDomain domain, VerbsArena arena) throws VerbsException {
        this.runtime = runtime;
        this.domain = domain;
        this.arena = arena;
        setting = Setting.of(role.capture());
        spare = arena.allocatePages(1);
        for (RocePacket packet : Role.responses(role.ownPackets())) {
            boolean refused =
                    packet.opcode().has(Extension.AETH) && packet.aeth().syndrome() == Aeth.NAK_REMOTE_ACCESS;
            (refused ? naks : answers).putIfAbsent(packet.bth().psn(), packet);
        }
        Role.requests(role.peerPackets()).forEach(this::include);
        if (setting != Setting.WINDOW) {
            for (Map.Entry<Integer, Extent> entry : extents.entrySet()) {
                register(entry.getKey(), entry.getValue());
            }
        }
    }

    /** Adds the memory that a request used, or would have needed. */
    private void include(RocePacket packet) {
        Opcode opcode = packet.opcode();
        if (opcode.isAtomic()) {
            include(
                    packet.atomicEth().remoteKey(),
                    packet.atomicEth().virtualAddress(),
                    Long.BYTES,
                    AccessFlag.REMOTE_ATOMIC);
        } else if (opcode.has(Extension.RETH) && packet.reth().dmaLength() > 0) {
            AccessFlag flag = opcode.isReadRequest() ? AccessFlag.REMOTE_READ : AccessFlag.REMOTE_WRITE;
            long address = packet.reth().virtualAddress();
            int length = packet.reth().dmaLength();
            int key = packet.reth().remoteKey();
            if (!naks.containsKey(packet.bth().psn())) {
                include(key, address, length, flag);
            } else if (setting == Setting.STALE_KEY) {
                include(key ^ 0xff, address, Setting.BUFFER, flag);
            } else if (setting == Setting.REGION_ENDS) {
                include(key, address + length / 2 - Setting.BUFFER, Setting.BUFFER, flag);
            }
        }
    }

    private void include(int key, long address, long bytes, AccessFlag flag) {
        extents.computeIfAbsent(key, missing -> new Extent()).include(address, bytes, flag);
    }

    /** Registers spare regions until the next key has the wanted index, then the memory. */
    private void register(int key, Extent extent) throws VerbsException {
        int index = key >>> KEY_BITS;
        while (lastIndex < index - 1) {
            domain.registerMemory(spare);
            lastIndex++;
        }
        runtime.lowByte(key & 0xff);
        // As on Linux, the address and the memory have the same offset in their pages.
        long offset = extent.start & (PAGE - 1);
        extent.bytes = arena.allocatePages(offset + extent.length).asSlice(offset, extent.length);
        int made =
                domain.registerMemory(extent.bytes, extent.start, extent.access).rkey();
        lastIndex = index;
        if (made != key) {
            throw new IllegalStateException("the key is 0x%x instead of 0x%x".formatted(made, key));
        }
    }

    /** Binds the window, if there is one. */
    void bindWindow(Replica replica) throws VerbsException {
        if (setting != Setting.WINDOW) {
            return;
        }
        for (Map.Entry<Integer, Extent> entry : extents.entrySet()) {
            int key = entry.getKey();
            Extent extent = entry.getValue();
            long start = extent.start - WINDOW_OFFSET;
            MemoryRegion region = domain.registerMemory(
                    arena.allocatePages(Setting.BUFFER), start, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND));
            runtime.lowByte((key - 1) & 0xff);
            MemoryWindow window = domain.allocateMw(MemoryWindowType.TYPE_2);
            if (RemoteKey.increment(window.rkey()) != key) {
                throw new IllegalStateException("the window has key 0x%x".formatted(window.rkey()));
            }
            replica.post(request -> request.bindMemoryWindow(
                    window,
                    key,
                    new MemoryWindowBinding(region, WINDOW_OFFSET, WINDOW_LENGTH, Set.of(AccessFlag.REMOTE_WRITE))));
        }
    }

    /** Restores the contents of the memory from the time when this request was answered. */
    void prepare(RocePacket request, int pathMtu) {
        if (request.opcode().isReadRequest()) {
            prepareRead(request, pathMtu);
        } else if (request.opcode().isAtomic() && filled.add(request.atomicEth().virtualAddress())) {
            RocePacket answer = answers.get(request.bth().psn());
            Extent extent = extents.get(request.atomicEth().remoteKey());
            extent.bytes.set(
                    ValueLayout.JAVA_LONG_UNALIGNED,
                    request.atomicEth().virtualAddress() - extent.start,
                    answer.atomicAckEth().originalValue());
        }
    }

    private void prepareRead(RocePacket request, int pathMtu) {
        Extent extent = extents.get(request.reth().remoteKey());
        int length = request.reth().dmaLength();
        if (extent == null || length == 0) {
            return;
        }
        long at = request.reth().virtualAddress() - extent.start;
        int psn = request.bth().psn();
        for (int left = length; left > 0; left -= pathMtu) {
            RocePacket answer = answers.get(psn);
            if (answer != null) {
                MemorySegment.copy(answer.segment(), answer.payloadOffset(), extent.bytes, at, answer.payloadLength());
            }
            at += pathMtu;
            psn = Psn.next(psn);
        }
    }
}
