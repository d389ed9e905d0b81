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
 * @param target the counters of node B's driver when both nodes were idle
 */
public record DemoOutcome(Digests digests, Leg put, Leg get, O2ibStatistics initiator, O2ibStatistics target) {

    /** Returns whether the copies agree and no credit was lost. */
    boolean isGood() {
        return digests.agree() && creditsAreBack();
    }

    /** Returns whether every credit was accounted for at the end of the demo. */
    boolean creditsAreBack() {
        return Credits.atRest(initiator, target);
    }

    /** The SHA-256 digests of the source, the target's copy, and the data that was fetched back, in hexadecimal. */
    record Digests(String source, String stored, String fetched) {
        boolean agree() {
            return stored.equals(source) && fetched.equals(source);
        }
    }

    /** The transfer in one direction: its payload in bytes, and its duration by the devices' and the wall clock. */
    public record Leg(long bytes, Duration time, Duration wall) {}
}
