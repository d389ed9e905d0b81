// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.net.InetAddress;

/** The peers that a listener admits, as part of the server's first line of output. */
public enum Exposure {
    /** The protocol is one of RDMA or of the original tools, so any peer is admitted. */
    OPEN("any peer is admitted: this protocol has no authentication"),
    /** The protocol is a control connection of this library, which requires a shared secret. */
    SECRET("a peer is admitted if it holds the same secret");

    private final String admitted;

    Exposure(String admitted) {
        this.admitted = admitted;
    }

    /** Returns the text to append to the server's first line: empty at a loopback address, otherwise a warning. */
    public String at(InetAddress address) {
        return address.isLoopbackAddress() ? "" : "; other machines can reach this address, and " + admitted;
    }
}
