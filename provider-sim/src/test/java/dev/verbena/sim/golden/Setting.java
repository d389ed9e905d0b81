// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.RnrRetryCount;
import java.util.Arrays;

/** Properties of the programs of a capture that its packets do not show. */
enum Setting {
    USUAL(""),
    /** The window begins after 8 KiB of the buffer. */
    WINDOW("vx_send_inv_mw"),
    /** The buffer ends in the middle of the written range. */
    REGION_ENDS("vx_nak_out_of_bounds"),
    /** The keys have the right index, but another low byte. */
    STALE_KEY("vx_nak_bad_rkey"),
    SHORT_RECEIVE("vx_nak_recv_too_small"),
    /** The receive's region does not permit writing. */
    BAD_RECEIVE("vx_nak_remote_op"),
    /** The three requests are posted together, the second one with a fence. */
    FENCED("vx_read_fence"),
    TWO_RNR_RETRIES("vx_rnr_exceeded"),
    TWO_RETRIES("vx_retry_exceeded"),
    FIVE_RETRIES("lnet/peer_dies");

    /** The size of the region that vx registers. */
    static final int BUFFER = 65_536;

    static final int SHORT = 16;

    private final String capture;

    Setting(String capture) {
        this.capture = capture;
    }

    static Setting of(String capture) {
        return Arrays.stream(values())
                .filter(setting -> setting != USUAL && capture.startsWith(setting.capture))
                .findFirst()
                .orElse(USUAL);
    }

    int retries() {
        return switch (this) {
            case TWO_RETRIES -> 2;
            case FIVE_RETRIES -> 5;
            default -> 7;
        };
    }

    RnrRetryCount rnrRetries() {
        return this == TWO_RNR_RETRIES ? RnrRetryCount.of(2) : RnrRetryCount.FOREVER;
    }

    /** Returns the timeout; none if no packet was ever late, so that the speed of the two hosts does not matter. */
    AckTimeout timeout() {
        return switch (this) {
            case TWO_RETRIES, FIVE_RETRIES -> AckTimeout.ofCode(17);
            default -> AckTimeout.NONE;
        };
    }
}
