package dev.verbena.cli;

import dev.verbena.cli.Control.Heard;
import dev.verbena.cli.Control.Word;
import dev.verbena.lnd.LnetNode;
import dev.verbena.verbs.VerbsException;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps what other nodes put here under names, for as long as the node is up, and lets it be fetched. Serves one after the other. */
final class FileKeeper implements Closeable {
    private static final byte[] NOTHING = {};
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final long MESSAGE_SIZE = 1L << 20;

    private final LnetNode node;
    private final Control control;
    private final Map<String, Store> kept = new HashMap<>();
    private final ProgressBar silent =
            new ProgressBar(new PrintWriter(Writer.nullWriter()), false, InstantSource.system());
    private final Thread thread;
    private volatile boolean closed;

    FileKeeper(LnetNode node) {
        this.node = node;
        control = new Control(node);
        thread = Thread.ofPlatform().daemon().name("file-keeper").start(this::serve);
    }

    private static boolean isQuestion(Heard word) {
        return word.is(Word.KEEP) || word.is(Word.FETCH);
    }

    private void serve() {
        try {
            while (!closed) {
                if (node.runtime().await(() -> closed || control.hasHeard(FileKeeper::isQuestion), LOOK) && !closed) {
                    serve(control.await(FileKeeper::isQuestion, "a question", Duration.ZERO));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DemoException e) {
            throw new IllegalStateException("a question that was heard is gone", e);
        }
    }

    /** Serves one; who fell silent or went away costs nothing but the time until that is known. */
    private void serve(Heard question) throws InterruptedException {
        String name = new String(question.payload(), StandardCharsets.UTF_8);
        try {
            if (question.is(Word.KEEP)) {
                keep(question, name);
            } else {
                let(question, name);
            }
        } catch (IOException | DemoException | VerbsException e) {
            refuse(question);
        }
    }

    private void refuse(Heard question) throws InterruptedException {
        try {
            control.say(question.from(), Word.REFUSED, 0, NOTHING, TargetRun.ANSWER_TIME);
        } catch (DemoException e) {
            // It is gone.
        }
    }

    private void keep(Heard question, String name)
            throws IOException, VerbsException, DemoException, InterruptedException {
        Offer offer = Offer.decode(question.number());
        FileData.checkRoom(offer.size(), 1);
        Store store = new Store(offer.size(), Sections.of(offer.messageSize(), Sections.LIMIT));
        byte[] digest;
        try {
            digest = share(store, question, 0);
        } catch (DemoException e) {
            store.close();
            throw e;
        }
        // Before the other one hears of it, who may ask for it or be gone in the same moment.
        @Nullable Store before = kept.put(name, store);
        if (before != null) {
            before.close();
        }
        control.mention(question.from(), Word.DIGEST, digest);
    }

    private void let(Heard question, String name)
            throws IOException, VerbsException, DemoException, InterruptedException {
        @Nullable Store store = kept.get(name);
        if (store == null) {
            refuse(question);
        } else {
            byte[] digest = share(store, question, Offer.encode(store.size(), MESSAGE_SIZE));
            control.mention(question.from(), Word.DIGEST, digest);
        }
    }

    /** Lets the other one move the bytes; returns their digest. */
    private byte[] share(Store store, Heard question, long number)
            throws IOException, DemoException, InterruptedException {
        Store.Offered offered = store.offer(node, question.from());
        try {
            control.say(question.from(), Word.READY, number, NOTHING, TargetRun.ANSWER_TIME);
            TargetRun.awaitTheEnd(node, control, question.from());
        } finally {
            offered.withdraw();
        }
        return HexFormat.of().parseHex(Sha256.of("SHA-256", store, silent));
    }

    /** Serves no more. The node must be closed before what is kept may go, so that happens with the process. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        control.close();
    }
}
