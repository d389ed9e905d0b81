// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.verbs.VerbsRuntime;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Counts the PUTs and GETs of a simulation by outcome, and hashes all their LNet events with the times. */
final class Ledger {
    private static final int MOST_TOLD = 20;

    private final VerbsRuntime runtime;
    private final MessageDigest digest = sha256();
    private final ByteBuffer record = ByteBuffer.allocate(3 * Long.BYTES + 2 * Integer.BYTES);
    private final List<String> violations = new ArrayList<>();
    private long violated;
    private long started;
    private long delivered;
    private long deliveredBytes;
    private long failed;
    private long orphaned;

    Ledger(VerbsRuntime runtime) {
        this.runtime = runtime;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    void started() {
        started++;
    }

    void saw(long number, LnetEvent event) {
        note(number, event.type().ordinal(), event.status(), event.length());
    }

    /** Adds a crash, a restart or a partition to the hash of the events. */
    void saw(Incident incident) {
        note(incident.node(), -1 - incident.kind().ordinal(), 0, 0);
    }

    private void note(long number, int what, int status, long length) {
        record.clear()
                .putLong(runtime.nanoTime())
                .putLong(number)
                .putLong(length)
                .putInt(what)
                .putInt(status);
        digest.update(record.flip());
    }

    void delivered(long bytes) {
        delivered++;
        deliveredBytes += bytes;
    }

    /** Counts a PUT or GET that failed, received no ACK or REPLY, or lost its initiator by a crash. */
    void undelivered(boolean told) {
        if (told) {
            failed++;
        } else {
            orphaned++;
        }
    }

    void violated(String what) {
        violated++;
        if (violations.size() < MOST_TOLD) {
            violations.add(runtime.now() + ": " + what);
        }
    }

    long startedCount() {
        return started;
    }

    long deliveredCount() {
        return delivered;
    }

    long deliveredBytes() {
        return deliveredBytes;
    }

    long failedCount() {
        return failed;
    }

    long orphanedCount() {
        return orphaned;
    }

    long violatedCount() {
        return violated;
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    String hash() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
