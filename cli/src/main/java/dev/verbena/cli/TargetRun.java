package dev.verbena.cli;

import dev.verbena.cli.Control.Conversation;
import dev.verbena.cli.Control.Heard;
import dev.verbena.cli.Control.Word;
import dev.verbena.lnd.LnetNode;
import dev.verbena.verbs.VerbsException;
import jakarta.inject.Provider;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;

/** Node B of a demo of two processes: keeps what the first initiator sends, and lets it be fetched back. */
final class TargetRun {
    /** How long an initiator has to take an answer. */
    static final Duration ANSWER_TIME = Duration.ofMinutes(1);

    private static final byte[] NOTHING = {};

    private final Provider<LnetNode> starter;
    private final Duration patience;

    /**
     * Makes it ready.
     *
     * @param starter starts the node
     * @param patience how long to wait for an initiator
     */
    TargetRun(Provider<LnetNode> starter, Duration patience) {
        this.starter = starter;
        this.patience = patience;
    }

    /**
     * Runs it to its end.
     *
     * @param waiting called when an initiator may come
     * @return the SHA-256 of what was kept
     */
    String run(ProgressBar progress, Runnable waiting)
            throws IOException, VerbsException, DemoException, InterruptedException {
        try (LnetNode node = starter.get()) {
            Control control = new Control(node);
            waiting.run();
            Heard hello = control.awaitQuestion(EnumSet.of(Word.HELLO), patience)
                    .orElseThrow(() -> new DemoException("no initiator came within " + patience.toSeconds()
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
                String digest = Sha256.of("SHA-256 of what B keeps", store, progress);
                with.say(Word.DIGEST, 0, HexFormat.of().parseHex(digest), ANSWER_TIME);
                return digest;
            } finally {
                // Before the memory goes that its peers may reach.
                node.close();
            }
        }
    }

    /** Waits until an initiator has done its part, as long as messages of its own transfer end. */
    static void awaitTheEnd(LnetNode node, Conversation with, Store.Offered offered, Duration stall)
            throws DemoException, InterruptedException {
        long before;
        do {
            before = offered.moves().get();
            if (node.runtime().await(() -> with.hasHeard(Word.DONE), stall)) {
                return;
            }
        } while (offered.moves().get() != before);
        throw new DemoException(with.peer() + " moved nothing for " + stall.toSeconds() + " seconds");
    }
}
