// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.lnd.O2ibStatistics;
import java.time.Duration;

/**
 * The result of a demo that finished.
 *
 * @param digests the digests of the three copies
 * @param put the transfer to node B
 * @param get the transfer back
 * @param initiator the counters of node A's driver when both nodes were idle
 * @param target the counters of node B's driver
 */
public record DemoOutcome(Digests digests, Leg put, Leg get, O2ibStatistics initiator, O2ibStatistics target) {

    /** Whether the copies agree and no credit was lost. */
    boolean isGood() {
        return digests.agree() && creditsAreBack();
    }

    /** Whether every credit was accounted for at the end. */
    boolean creditsAreBack() {
        return Credits.atRest(initiator, target);
    }

    /**
     * SHA-256 in hexadecimal.
     *
     * @param source the digest of the source
     * @param stored the digest of the target's copy
     * @param fetched the digest of the data that was fetched back
     */
    record Digests(String source, String stored, String fetched) {
        boolean agree() {
            return stored.equals(source) && fetched.equals(source);
        }
    }

    /**
     * The transfer in one direction.
     *
     * @param bytes payload
     * @param time its duration in the time of the devices
     * @param wall its duration for the user
     */
    public record Leg(long bytes, Duration time, Duration wall) {}
}
