// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.net.InetAddress;

/** The peers that can reach a listener, for the first line of output of a server. */
public enum Exposure {
    /** A protocol of RDMA or of the original tools, which admits any peer. */
    OPEN("any peer is admitted: this protocol has no authentication"),
    /** A control connection of this library, which requires a shared secret. */
    SECRET("a peer is admitted if it holds the same secret");

    private final String admitted;

    Exposure(String admitted) {
        this.admitted = admitted;
    }

    /** The end of a server's first line: empty at a loopback address, otherwise a warning. */
    public String at(InetAddress address) {
        return address.isLoopbackAddress() ? "" : "; other machines can reach this address, and " + admitted;
    }
}
