// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_event_channel} of {@code rdma/rdma_cma.h}: the same in every librdmacm with symbol version RDMACM_1.0. */
public final class RdmaEventChannel {
    /** The whole structure in the platform's alignment and byte order. */
    public static final StructLayout LAYOUT = struct("rdma_event_channel", int32("fd"));

    /** Offset of {@code fd}. */
    public static final long FD = offset(LAYOUT, "fd");

    private RdmaEventChannel() {}
}
