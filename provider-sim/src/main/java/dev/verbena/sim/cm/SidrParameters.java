package dev.verbena.sim.cm;

import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/**
 * What a SIDR_REQ says; source and destination are the asking and the asked side whoever reads it.
 *
 * @param serviceId port space and port of the service
 * @param source the asking side's address
 * @param sourcePort the asking side's port
 * @param destination the asked side's address
 * @param privateData the user's bytes without the rdma_cm header, read-only
 */
record SidrParameters(long serviceId, Gid source, int sourcePort, Gid destination, MemorySegment privateData) {}
