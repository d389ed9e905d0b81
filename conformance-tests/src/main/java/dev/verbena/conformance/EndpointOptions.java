package dev.verbena.conformance;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.QpCapabilities;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What an {@link Endpoint} is made of.
 *
 * @param capabilities depths of the queue pair that are asked for
 * @param bytes size of the registered memory
 * @param access rights of the registered memory
 */
public record EndpointOptions(QpCapabilities capabilities, long bytes, Set<AccessFlag> access) {
    private static final QpCapabilities USUAL_DEPTHS = QpCapabilities.of(16, 16);
    private static final long USUAL_BYTES = 4096;

    /** Keeps its own copy of the rights. */
    public EndpointOptions {
        access = Set.copyOf(access);
    }

    /**
     * Returns what does for most rules: 16 requests each way of one entry each, 4 KiB that a peer may write.
     *
     * @return the options
     */
    public static EndpointOptions usual() {
        return new EndpointOptions(
                USUAL_DEPTHS, USUAL_BYTES, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
    }

    /**
     * Changes the depths.
     *
     * @param sends requests in the send queue
     * @param receives requests in the receive queue
     * @return options that differ in this
     */
    public EndpointOptions withDepths(int sends, int receives) {
        return new EndpointOptions(capabilities.withMaxSendWr(sends).withMaxReceiveWr(receives), bytes, access);
    }

    /**
     * Changes the size of the memory.
     *
     * @param value bytes, at least 1
     * @return options that differ in this
     */
    public EndpointOptions withBytes(long value) {
        return new EndpointOptions(capabilities, value, access);
    }

    /**
     * Changes the rights.
     *
     * @param value what may be done with the memory
     * @return options that differ in this
     */
    public EndpointOptions withAccess(AccessFlag... value) {
        Set<AccessFlag> set = EnumSet.noneOf(AccessFlag.class);
        set.addAll(List.of(value));
        return new EndpointOptions(capabilities, bytes, set);
    }
}
