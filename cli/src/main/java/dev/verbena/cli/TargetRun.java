package dev.verbena.cli;

import dev.verbena.cli.Control.Heard;
import dev.verbena.cli.Control.Word;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.LnetStatistics;
import dev.verbena.lnet.ProcessId;
import dev.verbena.verbs.VerbsException;
import jakarta.inject.Provider;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Predicate;

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
            Heard hello = control.await(Word.HELLO, patience);
            return keep(node, control, hello, progress);
        }
    }

    private static String keep(LnetNode node, Control control, Heard hello, ProgressBar progress)
            throws IOException, VerbsException, DemoException, InterruptedException {
        Offer offer = Offer.decode(hello.number());
        FileData.checkRoom(offer.size(), 1);
        try (Store store = new Store(offer.size(), Sections.of(offer.messageSize(), Sections.LIMIT))) {
            try {
                store.offer(node, hello.from());
                control.say(hello.from(), Word.READY, 0, NOTHING, ANSWER_TIME);
                awaitTheEnd(node, control, hello.from());
                String digest = Sha256.of("SHA-256 of what B keeps", store, progress);
                control.say(hello.from(), Word.DIGEST, 0, HexFormat.of().parseHex(digest), ANSWER_TIME);
                return digest;
            } finally {
                // Before the memory goes that its peers may reach.
                node.close();
            }
        }
    }

    /** Waits until an initiator has done its part, as long as anything moves. */
    static void awaitTheEnd(LnetNode node, Control control, ProcessId initiator)
            throws DemoException, InterruptedException {
        Predicate<Heard> done = word -> word.is(Word.DONE) && word.from().equals(initiator);
        LnetStatistics before;
        do {
            before = node.lnetStatistics();
            node.runtime().await(() -> control.hasHeard(done), Transfer.STALL);
        } while (!control.hasHeard(done) && !node.lnetStatistics().equals(before));
        control.await(done, Word.DONE.toString(), Duration.ZERO);
    }
}
