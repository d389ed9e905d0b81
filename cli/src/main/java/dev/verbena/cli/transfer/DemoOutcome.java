// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.lnd.O2ibStatistics;
import java.time.Duration;

/**
 * The result of a demo that ran to its end.
 *
 * @param digests the SHA-256 digests of the source data, of the target's copy, and of the data fetched back
 * @param put the transfer to node B
 * @param get the transfer back
 * @param initiator the LND counters of node A, read after the wait for the return of all credits
 * @param target the LND counters of node B, read after the wait for the return of all credits
 */
public record DemoOutcome(Digests digests, Leg put, Leg get, O2ibStatistics initiator, O2ibStatistics target) {

    /** Returns whether both copies equal the source data and no LNet credit was lost. */
    boolean isGood() {
        return digests.agree() && creditsAreBack();
    }

    boolean creditsAreBack() {
        return Credits.atRest(initiator, target);
    }

    /** The SHA-256 digests, in hexadecimal, of the source, of the target's copy, and of the data fetched back. */
    record Digests(String source, String stored, String fetched) {
        boolean agree() {
            return stored.equals(source) && fetched.equals(source);
        }
    }

    /**
     * The result of a transfer in one direction: its payload in bytes, its duration by the devices' clock, and its
     * duration by the wall clock.
     */
    public record Leg(long bytes, Duration time, Duration wall) {}
}
