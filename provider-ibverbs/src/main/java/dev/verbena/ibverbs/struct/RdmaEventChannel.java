// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct rdma_event_channel} of {@code rdma/rdma_cma.h}, unchanged since symbol version RDMACM_1.0. */
public final class RdmaEventChannel {
    public static final StructLayout LAYOUT = struct("rdma_event_channel", int32("fd"));

    public static final long FD = offset(LAYOUT, "fd");

    private RdmaEventChannel() {}
}
