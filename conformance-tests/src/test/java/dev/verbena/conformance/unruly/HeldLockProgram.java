// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.time.Duration;
import java.util.List;

/**
 * Transfers messages while a post, and then a poll, holds the library's lock for the given number of milliseconds.
 * Another thread collects garbage meanwhile, so that the JVM's safepoint log shows how long a collection waits for the
 * thread in the library.
 */
final class HeldLockProgram {
    private static final Side.Waiting WAITING = new Side.Waiting(Duration.ofSeconds(10), Duration.ofMillis(1));
    private static final List<String> VERBS = List.of("ibv_post_send", "ibv_poll_cq");

    private HeldLockProgram() {}

    public static void main(String[] arguments) throws VerbsException {
        VerbsProvider provider = VerbsProviders.named("ibverbs");
        UnrulyControl control = new UnrulyControl();
        try (Device device = provider.open("plain0")) {
            UnrulySuite rules = new UnrulySuite(device, provider.extension(ConnectionManager.class), WAITING);
            rules.aReadReturnsEarlierWrites(100);
            for (String verb : VERBS) {
                control.hold(verb, Integer.parseInt(arguments[0]));
                Thread transfer = Thread.ofPlatform().start(() -> rules.aReadReturnsEarlierWrites(100));
                while (transfer.isAlive()) {
                    System.gc();
                }
            }
            rules.closeLeftOver();
        }
    }
}
