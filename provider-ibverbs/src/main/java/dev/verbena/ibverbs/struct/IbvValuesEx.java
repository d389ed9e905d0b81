// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static dev.verbena.ibverbs.struct.CLayout.int32;
import static dev.verbena.ibverbs.struct.CLayout.int64;
import static dev.verbena.ibverbs.struct.CLayout.offset;
import static dev.verbena.ibverbs.struct.CLayout.struct;

import java.lang.foreign.StructLayout;

/** {@code struct ibv_values_ex} of {@code infiniband/verbs.h}. */
public final class IbvValuesEx {
    public static final StructLayout LAYOUT = struct(
            "ibv_values_ex",
            int32("comp_mask"),
            struct("timespec", int64("tv_sec"), int64("tv_nsec")).withName("raw_clock"));

    public static final long COMP_MASK = offset(LAYOUT, "comp_mask");
    public static final long RAW_CLOCK_SECONDS = offset(LAYOUT, "raw_clock", "tv_sec");

    /** Offset of {@code raw_clock.tv_nsec}, in which user-space drivers store the device's clock in ticks. */
    public static final long RAW_CLOCK_NANOSECONDS = offset(LAYOUT, "raw_clock", "tv_nsec");

    /** {@code IBV_VALUES_MASK_RAW_CLOCK}. */
    public static final int RAW_CLOCK = 1;

    private IbvValuesEx() {}
}
