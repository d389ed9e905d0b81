// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import java.net.InetAddress;

/** The peers that can reach a listener, for the first line that it prints. */
public enum Exposure {
    /** For protocols of the originals and of RDMA. */
    OPEN("any peer is admitted: this protocol has no authentication"),
    /** For control connections of this library. */
    SECRET("a peer is admitted if it holds the same secret");

    private final String admitted;

    Exposure(String admitted) {
        this.admitted = admitted;
    }

    /** The end of the first line: empty at a loopback address, otherwise a warning. */
    public String at(InetAddress address) {
        return address.isLoopbackAddress() ? "" : "; other machines can reach this address, and " + admitted;
    }
}
