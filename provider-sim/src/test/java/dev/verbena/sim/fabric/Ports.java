// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.util.List;

/** Addresses and packets for tests of fabrics. */
public final class Ports {
    /** Bytes of a packet besides its payload, over IPv4: IP, UDP, BTH, ICRC. */
    public static final int OVERHEAD = 20 + 8 + 12 + 4;

    private Ports() {}

    /** Returns the address of the device {@code sim}n. */
    public static Gid gid(int number) {
        return Gid.parse("10.0.0." + (number + 1));
    }

    /** Attaches the device {@code sim}n. */
    public static FabricPort attach(Fabric fabric, int number, PacketReceiver receiver) throws VerbsException {
        return fabric.attach("sim" + number, List.of(gid(number)), receiver);
    }

    /** Makes a sealed RC SEND only packet of zeros. */
    public static SimPacket packet(FabricPort port, Gid from, Gid to, int psn, int payloadLength) {
        SimPacket packet = port.newPacket();
        packet.begin(from.high(), from.low(), to.high(), to.low(), 0xc000, 0, 64);
        packet.beginTransport(Opcode.RC_SEND_ONLY).destinationQpn(17).psn(psn);
        packet.payloadLength(payloadLength);
        packet.segment().asSlice(packet.payloadOffset(), payloadLength).fill((byte) 0);
        packet.seal();
        return packet;
    }
}
