// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.TraceHash;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Transport;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Records the packets as sent, before any fault: the number of transmissions of each packet of a connection, the
 * refusals and, if requested, all packets as text.
 */
final class Wire implements PacketTap {
    private static final int LINES = 400;
    private static final int ADDRESS_SHIFT = 32;

    private static final String RNR = "NAK: receiver not ready";
    private static final List<String> NAKS = List.of(
            "NAK: PSN sequence error",
            "NAK: invalid request",
            "NAK: remote access error",
            "NAK: remote operational error");

    /** The packets sent to one queue pair since it was connected. */
    static final class Traffic {
        private final Map<Integer, Integer> requests = new HashMap<>();
        private final int[] naks = new int[32];
        private final Map<Integer, Integer> rnrNaks = new HashMap<>();

        /** Returns the greatest number of transmissions of a packet in a range of PSNs. */
        int mostSent(int firstPsn, int packets) {
            return most(requests, firstPsn, packets);
        }

        int naks(int code) {
            return naks[code];
        }

        /** Returns the number of NAKs whose sender is in ERR afterwards. */
        int fatalNaks() {
            return naks[1] + naks[2] + naks[3];
        }

        /** Returns the number of RNR NAKs for a packet in a range of PSNs. */
        int rnrNaks(int firstPsn, int packets) {
            return most(rnrNaks, firstPsn, packets);
        }

        private static int most(Map<Integer, Integer> counts, int firstPsn, int packets) {
            int most = 0;
            for (int i = 0; i < packets; i++) {
                most = Math.max(most, counts.getOrDefault((firstPsn + i) & Psn.MASK, 0));
            }
            return most;
        }
    }

    private final NativeAddresses addresses;
    private final TraceHash hash = new TraceHash();
    private final Map<Long, Traffic> traffic = new HashMap<>();
    private final Map<String, Integer> tally = new TreeMap<>();
    private final Deque<String> lines = new ArrayDeque<>();
    private final Setting setting;
    private final boolean traced;

    Wire(Setting setting, NativeAddresses addresses, boolean traced) {
        this.addresses = addresses;
        this.setting = setting;
        this.traced = traced;
    }

    /** Returns the names under which refusals are counted. */
    static List<String> refusals() {
        return Stream.concat(Stream.of(RNR), NAKS.stream()).toList();
    }

    /** Returns the name under which packets are counted. */
    static String packets(Opcode opcode) {
        return "packet " + opcode;
    }

    private static long key(long addressLow, int qpn) {
        return addressLow << ADDRESS_SHIFT | qpn;
    }

    Traffic to(End end) {
        return traffic.computeIfAbsent(key(end.host().node().address().low(), end.number()), key -> new Traffic());
    }

    void forget(End end) {
        traffic.remove(key(end.host().node().address().low(), end.number()));
    }

    @Override
    public void onPacket(long nanoTime, String link, SimPacket packet) {
        SimPacket shown = addresses.hide(packet);
        hash.onPacket(nanoTime, link, shown);
        if (traced) {
            trace(nanoTime, link, shown);
        }
        shown.release();
        count(packet);
    }

    private void count(SimPacket packet) {
        Opcode opcode = packet.opcode();
        int qpn = packet.bth().destinationQpn();
        if (opcode.transport() == Transport.RC) {
            Traffic to = traffic.computeIfAbsent(key(packet.destinationLo(), qpn), key -> new Traffic());
            if (opcode.isAck()) {
                acknowledged(to, packet);
            } else if (opcode.isRequest()) {
                // A READ uses the PSNs of all packets of its answer.
                int packets =
                        opcode.isReadRequest() ? setting.packets(packet.reth().dmaLength()) : 1;
                for (int i = 0; i < packets; i++) {
                    to.requests.merge((packet.bth().psn() + i) & Psn.MASK, 1, Integer::sum);
                }
            }
        }
        tally.merge(packets(opcode), 1, Integer::sum);
    }

    private void acknowledged(Traffic to, SimPacket packet) {
        Aeth aeth = packet.aeth();
        switch (aeth.kind()) {
            case ACK, RESERVED -> {}
            case RNR_NAK -> {
                to.rnrNaks.merge(packet.bth().psn(), 1, Integer::sum);
                tally.merge(RNR, 1, Integer::sum);
            }
            case NAK -> {
                to.naks[aeth.nakCode()]++;
                tally.merge(NAKS.get(aeth.nakCode()), 1, Integer::sum);
            }
        }
    }

    private void trace(long nanoTime, String link, SimPacket packet) {
        if (lines.size() == LINES) {
            lines.removeFirst();
        }
        Opcode opcode = packet.opcode();
        lines.add(nanoTime + " " + link + " qp " + packet.bth().destinationQpn() + " " + opcode + " psn "
                + packet.bth().psn() + (packet.bth().ackRequest() ? " A" : "") + " " + packet.payloadLength()
                + " bytes" + (opcode.has(Extension.RETH) ? " " + packet.reth() : "")
                + (opcode.has(Extension.AETH) ? " " + packet.aeth() : ""));
    }

    /** Adds a remark to the trace. */
    void note(String text) {
        if (traced) {
            lines.add("-- " + text);
        }
    }

    String trace() {
        return String.join("\n", lines);
    }

    String hash() {
        return hash.hex();
    }

    /** Returns the number of packets and refusals of each kind. */
    Map<String, Integer> tally() {
        return tally;
    }
}
