// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.verbs.AccessFlag;
import java.util.List;

/** The operation that a test measures. */
public enum PerftestVerb {
    /** SENDs, for which the peer has posted receives. */
    SEND("Send", 2),
    WRITE("RDMA_Write", 2),
    READ("RDMA_Read", 1),
    /** Fetch-and-add on eight bytes of the peer's memory. */
    ATOMIC("Atomic FETCH_AND_ADD", 1);

    private final String title;
    private final int ways;

    PerftestVerb(String title, int ways) {
        this.title = title;
        this.ways = ways;
    }

    String title() {
        return title;
    }

    /** The access rights that the peer must grant on its memory. */
    List<AccessFlag> access() {
        return switch (this) {
            case SEND -> List.of(AccessFlag.LOCAL_WRITE);
            case WRITE -> List.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            case READ -> List.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
            case ATOMIC -> List.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
        };
    }

    /** Like perftest, the latency test halves the measured time of SENDs and RDMA WRITEs, but not of READs and atomics. */
    int ways() {
        return ways;
    }
}
