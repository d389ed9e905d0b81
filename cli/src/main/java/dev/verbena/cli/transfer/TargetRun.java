// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.transfer.Control.Conversation;
import dev.verbena.cli.transfer.Control.Heard;
import dev.verbena.cli.transfer.Control.Word;
import dev.verbena.lnd.LnetNode;
import dev.verbena.verbs.VerbsException;
import jakarta.inject.Provider;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;

/** Runs node B of a two-process demo: stores the first initiator's data, and serves GETs of this data. */
final class TargetRun {
    /** The maximum time that node B waits until a control message has arrived at the initiator. */
    static final Duration ANSWER_TIME = Duration.ofMinutes(1);

    private static final byte[] NOTHING = {};

    private final Provider<LnetNode> starter;
    private final Duration patience;

    /**
     * Node B of the demo uses the LNet node that {@code starter.get()} returns, and waits at most {@code patience} for an
     * initiator.
     */
    TargetRun(Provider<LnetNode> starter, Duration patience) {
        this.starter = starter;
        this.patience = patience;
    }

    /**
     * Runs the demo's node B, and returns the SHA-256 of the stored data. When node B is ready for a connection of the
     * initiator, this method calls the given callback.
     */
    String run(ProgressBar progress, Runnable waiting)
            throws IOException, VerbsException, DemoException, InterruptedException {
        try (LnetNode node = starter.get()) {
            Control control = new Control(node);
            waiting.run();
            Heard hello = control.awaitQuestion(EnumSet.of(Word.HELLO), patience)
                    .orElseThrow(() -> new DemoException("no initiator connected within " + patience.toSeconds()
                            + " seconds; start one with 'verbena" + " demo --fabric udp --role initiator'"));
            return keep(node, control.begin(hello.from(), hello.transaction()), Offer.decode(hello.number()), progress);
        }
    }

    private static String keep(LnetNode node, Conversation with, Offer offer, ProgressBar progress)
            throws IOException, VerbsException, DemoException, InterruptedException {
        FileData.checkRoom(offer.size(), 1);
        try (Store store = new Store(offer)) {
            try {
                Store.Offered offered = store.offer(node, with.peer(), with.transaction());
                with.say(Word.READY, 0, NOTHING, ANSWER_TIME);
                awaitTheEnd(node, with, offered, Transfer.STALL);
                String digest = Sha256.of("SHA-256 of the copy of B", store, progress);
                with.say(Word.DIGEST, 0, HexFormat.of().parseHex(digest), ANSWER_TIME);
                return digest;
            } finally {
                // The LNet node must be closed before the memory that its peers can access is freed.
                node.close();
            }
        }
    }

    /**
     * Waits for the initiator's last control message, DONE. Throws DemoException if no message of the transfer completes
     * within the {@code stall} time.
     */
    static void awaitTheEnd(LnetNode node, Conversation with, Store.Offered offered, Duration stall)
            throws DemoException, InterruptedException {
        long before;
        do {
            before = offered.moves().get();
            if (node.runtime().await(() -> with.hasHeard(Word.DONE), stall)) {
                return;
            }
        } while (offered.moves().get() != before);
        throw new DemoException(
                with.peer() + " completed no message of the transfer for " + stall.toSeconds() + " seconds");
    }
}
