package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of a SIDR_REQ. Source and destination are always the querying and the queried side, on both sides.
 *
 * @param serviceId port space and port of the service
 * @param source the querying side's address
 * @param sourcePort the querying side's port
 * @param destination the queried side's address
 * @param privateData the user's bytes, excluding the rdma_cm header, read-only
 */
record SidrParameters(long serviceId, Gid source, int sourcePort, Gid destination, MemorySegment privateData) {}
