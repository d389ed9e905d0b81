// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static dev.verbena.junit.VerbsAssertions.expect;

/** Assertions about a network. */
public final class NetworkAssert {
    private final VerbsNetwork network;

    NetworkAssert(VerbsNetwork network) {
        this.network = network;
    }

    /**
     * Asserts how many packets the links have dropped.
     *
     * @param packets the expected number
     * @return this object, for further assertions
     */
    public NetworkAssert dropped(long packets) {
        expect(network.dropped() == packets, packets + " packets dropped", network.dropped());
        return this;
    }

    /**
     * Asserts how many packets the devices have retransmitted.
     *
     * @param packets the expected number
     * @return this object, for further assertions
     */
    public NetworkAssert retransmitted(long packets) {
        expect(network.retransmitted() == packets, packets + " packets sent again", network.retransmitted());
        return this;
    }
}
