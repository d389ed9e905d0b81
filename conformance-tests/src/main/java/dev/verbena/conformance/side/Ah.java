// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

public final class Ah extends SideObject {
    Ah(Side side, int handle) {
        super(side, handle);
    }

    /** Returns the destination of a datagram: a queue pair at the address in this address handle. */
    public Send.Destination qp(int number, int qkey) {
        return new Send.Destination(handle(), number, qkey);
    }
}
