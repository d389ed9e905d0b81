// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * RoCEv2 packets: opcodes, header flyweights, ICRC computation, management datagrams, and pcapng files. {@link
 * dev.verbena.wire.RocePacket} builds and parses a packet.
 */
@NullMarked
module dev.verbena.wire {
    requires static transitive org.jspecify;

    exports dev.verbena.wire;
    exports dev.verbena.wire.mad;
    exports dev.verbena.wire.pcapng;
}
