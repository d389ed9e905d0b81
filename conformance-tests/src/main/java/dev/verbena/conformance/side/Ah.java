// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

/** An address handle. */
public final class Ah extends Thing {
    Ah(Side side, int handle) {
        super(side, handle);
    }

    /** Names a queue pair at the address as the destination of a datagram. */
    public Send.Destination qp(int number, int qkey) {
        return new Send.Destination(handle(), number, qkey);
    }
}
