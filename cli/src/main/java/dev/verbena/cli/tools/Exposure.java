// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.net.InetAddress;

/** The peers from which a listener accepts connections; the server's first line of output reports them. */
public enum Exposure {
    /** A command accepts any peer, because RDMA and the protocols of the C tools have no authentication. */
    OPEN("any peer is admitted: this protocol has no authentication"),
    /** A listener for TCP control connections of Verbena accepts a peer only if the peer has the shared secret. */
    SECRET("a peer is admitted if it holds the same secret");

    private final String admitted;

    Exposure(String admitted) {
        this.admitted = admitted;
    }

    /**
     * Returns a warning that other machines can reach the listening address of a {@code verbena} server, or an empty
     * string for a loopback address.
     */
    public String at(InetAddress address) {
        return address.isLoopbackAddress() ? "" : "; other machines can reach this address, and " + admitted;
    }
}
