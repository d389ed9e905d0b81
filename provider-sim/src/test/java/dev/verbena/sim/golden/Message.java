// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A work request, reconstructed from its packets. */
final class Message {
    private final RocePacket first;
    private final List<RocePacket> packets = new ArrayList<>();

    private Message(RocePacket first) {
        this.first = first;
        packets.add(first);
    }

    /** Returns the messages of a side, by their first packet. */
    static Map<RocePacket, Message> of(List<RocePacket> requests, int pathMtu) {
        Map<RocePacket, Message> messages = new LinkedHashMap<>();
        Message open = null;
        int next = requests.isEmpty() ? 0 : requests.getFirst().bth().psn();
        for (RocePacket packet : requests) {
            if (packet.bth().psn() != next) {
                // A retransmission.
                continue;
            }
            if (open == null) {
                open = new Message(packet);
                messages.put(packet, open);
            } else {
                open.packets.add(packet);
            }
            next = Psn.add(next, open.first.opcode().isReadRequest() ? packetsOf(open.length(), pathMtu) : 1);
            open = packet.opcode().isEnd() ? null : open;
        }
        return messages;
    }

    static int packetsOf(long bytes, int pathMtu) {
        return (int) Math.max(1, (bytes + pathMtu - 1) / pathMtu);
    }

    /** Returns the bytes of local memory that it uses. */
    int length() {
        if (first.opcode().isAtomic()) {
            return Long.BYTES;
        }
        return first.opcode().has(Extension.RETH)
                ? first.reth().dmaLength()
                : packets.stream().mapToInt(RocePacket::payloadLength).sum();
    }

    /** Writes the payload into memory. */
    void store(MemorySegment memory, long offset) {
        long at = offset;
        for (RocePacket packet : packets) {
            MemorySegment.copy(packet.segment(), packet.payloadOffset(), memory, at, packet.payloadLength());
            at += packet.payloadLength();
        }
    }

    /** Fills the work request. */
    void fill(SendWorkRequest request, MemoryRegion region, long offset) {
        SendWorkRequest chosen = operation(request).signaled();
        if (packets.getLast().bth().solicitedEvent()) {
            chosen.solicited();
        }
        if (length() > 0) {
            chosen.sge(region, offset, length());
        }
    }

    private SendWorkRequest operation(SendWorkRequest request) {
        Opcode opcode = first.opcode();
        if (opcode.isAtomic()) {
            long address = first.atomicEth().virtualAddress();
            int key = first.atomicEth().remoteKey();
            long operand = first.atomicEth().swapOrAdd();
            return opcode == Opcode.RC_FETCH_ADD
                    ? request.fetchAndAdd(address, key, operand)
                    : request.compareAndSwap(address, key, first.atomicEth().compare(), operand);
        }
        RocePacket last = packets.getLast();
        boolean immediate = last.opcode().has(Extension.IMM_DT);
        if (opcode.has(Extension.RETH)) {
            long address = first.reth().virtualAddress();
            int key = first.reth().remoteKey();
            if (opcode.isReadRequest()) {
                return request.rdmaRead(address, key);
            }
            if (opcode.isAtomicWrite()) {
                return request.atomicWrite(address, key);
            }
            return immediate
                    ? request.rdmaWriteWithImmediate(address, key, last.immDt().data())
                    : request.rdmaWrite(address, key);
        }
        if (last.opcode().has(Extension.IETH)) {
            return request.sendWithInvalidate(last.ieth().remoteKey());
        }
        return immediate ? request.sendWithImmediate(last.immDt().data()) : request.send();
    }
}
