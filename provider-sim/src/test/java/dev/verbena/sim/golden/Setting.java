package dev.verbena.sim.golden;

import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.RnrRetryCount;
import java.util.Arrays;

/** What the programs behind a capture did that its packets do not tell. */
enum Setting {
    USUAL(""),
    /** The window begins behind 8 KiB of the buffer. */
    WINDOW("vx_send_inv_mw"),
    /** The buffer ends in the middle of what is written. */
    REGION_ENDS("vx_nak_out_of_bounds"),
    /** The keys have the right index, but another low byte. */
    STALE_KEY("vx_nak_bad_rkey"),
    SHORT_RECEIVE("vx_nak_recv_too_small"),
    /** The receive's region does not allow to write. */
    BAD_RECEIVE("vx_nak_remote_op"),
    /** The three requests are posted together, the second one behind a fence. */
    FENCED("vx_read_fence"),
    TWO_RNR_RETRIES("vx_rnr_exceeded"),
    TWO_RETRIES("vx_retry_exceeded"),
    FIVE_RETRIES("lnet/peer_dies");

    /** What vx registers. */
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

    /** None where nothing was ever late, so that the pace of the two hosts does not matter. */
    AckTimeout timeout() {
        return switch (this) {
            case TWO_RETRIES, FIVE_RETRIES -> AckTimeout.ofCode(17);
            default -> AckTimeout.NONE;
        };
    }
}
