package dev.verbena.cli;

import dev.verbena.lnd.O2ibStatistics;
import java.time.Duration;

/**
 * What came of a demo that reached its end.
 *
 * @param digests of the three copies
 * @param put the way there
 * @param get the way back
 * @param initiator what node A's driver did until both nodes were at rest
 * @param target what node B's driver did
 */
record DemoOutcome(Digests digests, Leg put, Leg get, O2ibStatistics initiator, O2ibStatistics target) {

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
     * @param source of what was to be sent
     * @param stored of what the target keeps
     * @param fetched of what came back
     */
    record Digests(String source, String stored, String fetched) {
        boolean agree() {
            return stored.equals(source) && fetched.equals(source);
        }
    }

    /**
     * One way.
     *
     * @param bytes payload
     * @param time how long it took in the time of the devices
     * @param wall how long the user waited
     */
    record Leg(long bytes, Duration time, Duration wall) {}
}
