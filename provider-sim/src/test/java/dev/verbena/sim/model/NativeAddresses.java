// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Opcode;
import java.util.HashMap;
import java.util.Map;

/**
 * The addresses of the devices' memory. Requests that use a fast registration contain such addresses, which differ
 * between runs; all other fields of packets are the same.
 */
final class NativeAddresses {
    private final Map<Long, Host> hosts = new HashMap<>();

    void add(Host host) {
        hosts.put(host.node().address().low(), host);
    }

    /** Returns a copy of a packet with the address that the other keys use for the byte. */
    SimPacket hide(SimPacket packet) {
        SimPacket copy = packet.copy();
        Host host = hosts.get(packet.destinationLo());
        Opcode opcode = packet.opcode();
        if (host == null || !(opcode.has(Extension.RETH) || opcode.has(Extension.ATOMIC_ETH))) {
            return copy;
        }
        long address = opcode.has(Extension.RETH)
                ? packet.reth().virtualAddress()
                : packet.atomicEth().virtualAddress();
        long offset = address - host.node().memory().address();
        // A request may exceed the memory.
        if (offset >= 0 && offset < 2 * host.node().memory().byteSize()) {
            if (opcode.has(Extension.RETH)) {
                copy.reth().virtualAddress(Host.address((int) offset));
            } else {
                copy.atomicEth().virtualAddress(Host.address((int) offset));
            }
            copy.seal();
        }
        return copy;
    }
}
