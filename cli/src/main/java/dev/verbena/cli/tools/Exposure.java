// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.net.InetAddress;

/** The peers that a listener admits; the server's first line of output reports them. */
public enum Exposure {
    /** A command admits any peer, because RDMA and the protocols of the C tools have no authentication. */
    OPEN("any peer is admitted: this protocol has no authentication"),
    /** A control connection of Verbena admits a peer only if the peer has the shared secret. */
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
