package dev.verbena.cli.perftest;

import dev.verbena.verbs.AccessFlag;
import java.util.List;

/** What is measured. */
public enum PerftestVerb {
    /** Messages, which the other end has receives for. */
    SEND("Send", 2),
    /** RDMA WRITEs into the other end's memory. */
    WRITE("RDMA_Write", 2),
    /** RDMA READs of the other end's memory. */
    READ("RDMA_Read", 1),
    /** Fetch and add on eight bytes of the other end. */
    ATOMIC("Atomic FETCH_AND_ADD", 1);

    private final String title;
    private final int ways;

    PerftestVerb(String title, int ways) {
        this.title = title;
        this.ways = ways;
    }

    /** What perftest calls it. */
    String title() {
        return title;
    }

    /** The rights that the other end's memory must give. */
    List<AccessFlag> access() {
        return switch (this) {
            case SEND -> List.of(AccessFlag.LOCAL_WRITE);
            case WRITE -> List.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            case READ -> List.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
            case ATOMIC -> List.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
        };
    }

    /** By what a measured round trip is divided: perftest's latency of messages is that of one way. */
    int ways() {
        return ways;
    }
}
