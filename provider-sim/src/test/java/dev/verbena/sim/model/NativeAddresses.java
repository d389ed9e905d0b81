package dev.verbena.sim.model;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.wire.Opcode;
import java.util.HashMap;
import java.util.Map;

/**
 * Where the memory of devices lies. Requests that use a fast registration carry such addresses, which differ from run to run;
 * everything else in a packet does not.
 */
final class NativeAddresses {
    private final Map<Long, Host> hosts = new HashMap<>();

    void add(Host host) {
        hosts.put(host.node().address().low(), host);
    }

    /** A copy of a packet that shows the address by which the other keys name the byte. */
    SimPacket hide(SimPacket packet) {
        SimPacket copy = packet.copy();
        Host host = hosts.get(packet.destinationLo());
        Opcode opcode = packet.opcode();
        if (host == null || !(opcode.hasReth() || opcode.hasAtomicEth())) {
            return copy;
        }
        long address = opcode.hasReth()
                ? packet.reth().virtualAddress()
                : packet.atomicEth().virtualAddress();
        long offset = address - host.node().memory().address();
        // A request may reach beyond the memory.
        if (offset >= 0 && offset < 2 * host.node().memory().byteSize()) {
            if (opcode.hasReth()) {
                copy.reth().virtualAddress(Host.address((int) offset));
            } else {
                copy.atomicEth().virtualAddress(Host.address((int) offset));
            }
            copy.seal();
        }
        return copy;
    }
}
