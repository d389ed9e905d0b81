// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.transfer.Control.Conversation;
import dev.verbena.cli.transfer.Control.Heard;
import dev.verbena.cli.transfer.Control.Word;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.Nid;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stores the files that other nodes PUT, and serves these files for as long as this node runs. The node serves up to {@link #MOST_TRANSFERS}
 * transfers at a time, and at most {@link #MOST_OF_ONE_PEER} of one peer. Each transfer has its own deadlines, so an
 * unresponsive peer does not delay the transfers of other peers. A quota limits the total size of the stored files. A file
 * is deleted {@link #EXPIRY} after it was last stored or fetched. Only the node that stored a file can replace the file.
 */
public final class FileKeeper implements Closeable {
    /** The maximum number of simultaneous file transfers. */
    static final int MOST_TRANSFERS = 16;

    private static final int MOST_OF_ONE_PEER = 4;
    private static final int MOST_FILES = 256;
    private static final Set<Word> QUESTIONS = EnumSet.of(Word.KEEP, Word.FETCH);
    private static final byte[] NOTHING = {};
    private static final Duration LOOK = Duration.ofMillis(500);

    /** The time after which a file is deleted, counted from when it was last stored or fetched. */
    public static final Duration EXPIRY = Duration.ofHours(1);

    private final LnetNode node;
    private final Control control;
    private final Duration stall;
    private final long quota;
    private final Duration expiry;
    private final Map<String, Kept> kept = new HashMap<>();
    private final Set<Store> stores = new HashSet<>();
    private final Map<Nid, Integer> transfers = new HashMap<>();
    private final ProgressBar silent =
            new ProgressBar(new PrintWriter(Writer.nullWriter()), false, InstantSource.system());
    private final ExecutorService workers = new ThreadPoolExecutor(
            0,
            MOST_TRANSFERS,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("file-keeper-", 0).factory());
    private final Thread thread;
    private long promised;
    private volatile boolean closed;

    /** A stored file, the node that stored it, and the time when it was last stored or fetched. */
    private record Kept(Store store, Nid owner, long used) {}

    /**
     * Starts to serve. The {@code quota} is the maximum total size, in bytes, of the files on disk: stored files, files
     * that are being stored, and replaced files that are still being fetched.
     */
    public FileKeeper(LnetNode node, long quota) {
        this(node, quota, EXPIRY, Transfer.STALL);
    }

    /**
     * Starts to serve immediately. A file is deleted {@code expiry} after it was last stored or fetched. A transfer fails
     * if it makes no progress within the {@code stall} time.
     */
    FileKeeper(LnetNode node, long quota, Duration expiry, Duration stall) {
        this.node = node;
        this.quota = quota;
        this.expiry = expiry;
        this.stall = stall;
        control = new Control(node);
        thread = Thread.ofPlatform().daemon().name("file-keeper").start(this::serve);
    }

    private void serve() {
        while (!closed) {
            try {
                control.awaitQuestion(QUESTIONS, LOOK).ifPresent(this::start);
                dropExpired();
            } catch (InterruptedException e) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                // Memory is exhausted, or the LNet node is being closed. The node that sent the request will repeat the
                // request.
            }
        }
    }

    /** Starts the requested transfer, but ignores a repeated KEEP or FETCH with the same transaction id. */
    private void start(Heard question) {
        Conversation with;
        try {
            with = control.begin(question.from(), question.transaction());
        } catch (IllegalStateException again) {
            return;
        }
        Nid peer = question.from().nid();
        if (!begin(peer)) {
            with.mention(Word.REFUSED, NOTHING);
            with.close();
            return;
        }
        try {
            workers.execute(() -> {
                try (with) {
                    // This node removes a transfer from the active transfers before it sends the SHA-256 of the data.
                    // The peer may start its next transfer as soon as it has received the SHA-256.
                    serve(question, with, peer).ifPresent(digest -> with.mention(Word.DIGEST, digest));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        } catch (RejectedExecutionException busy) {
            end(peer);
            with.mention(Word.REFUSED, NOTHING);
            with.close();
        }
    }

    private synchronized boolean begin(Nid peer) {
        return transfers.merge(peer, 1, Integer::sum) <= MOST_OF_ONE_PEER || end(peer);
    }

    /** Decrements the peer's number of active transfers. Returns false, so that {@code begin} refuses a transfer. */
    private synchronized boolean end(Nid peer) {
        transfers.computeIfPresent(peer, (_, count) -> count == 1 ? null : count - 1);
        return false;
    }

    /** Serves a KEEP or FETCH. Returns the digest of the file, or empty if this node refused the transfer or it failed. */
    private Optional<byte[]> serve(Heard question, Conversation with, Nid peer) throws InterruptedException {
        String name = new String(question.payload(), StandardCharsets.UTF_8);
        try {
            return question.is(Word.KEEP)
                    ? Optional.of(keep(Offer.decode(question.number()), with, name))
                    : let(with, name);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | Error e) {
            refuse(with);
            return Optional.empty();
        } finally {
            end(peer);
        }
    }

    private static void refuse(Conversation with) throws InterruptedException {
        try {
            with.say(Word.REFUSED, 0, NOTHING, TargetRun.ANSWER_TIME);
        } catch (DemoException e) {
            // The peer did not acknowledge the REFUSED message, so this node cannot notify the peer.
        }
    }

    private byte[] keep(Offer offer, Conversation with, String name)
            throws IOException, DemoException, InterruptedException {
        Nid owner = with.peer().nid();
        Store store = reserve(offer, name, owner);
        boolean complete = false;
        try {
            byte[] digest = share(store, with, 0, store.messages());
            // The file is stored before the peer is notified, because a notified peer may fetch the file immediately.
            replace(name, store, owner);
            complete = true;
            return digest;
        } finally {
            fulfil(offer.size());
            if (!complete) {
                store.close();
            }
        }
    }

    /**
     * Reserves disk space for a transfer, so that other transfers cannot use this space before the data of the transfer
     * arrives.
     */
    private synchronized Store reserve(Offer offer, String name, Nid owner) throws IOException {
        dropExpired();
        requirePlace(name, owner);
        stores.removeIf(Store::isFreed);
        long occupied = stores.stream().mapToLong(Store::size).sum();
        if (offer.size() > quota - occupied) {
            throw new IOException("the files would exceed the quota of " + quota + " bytes");
        }
        FileData.checkRoom(Math.addExact(offer.size(), promised), 1);
        Store store = new Store(offer);
        stores.add(store);
        promised += offer.size();
        return store;
    }

    private void requirePlace(String name, Nid owner) throws IOException {
        @Nullable Kept before = kept.get(name);
        if (before == null && kept.size() >= MOST_FILES) {
            throw new IOException(MOST_FILES + " files are already stored");
        }
        if (before != null && !before.owner.equals(owner)) {
            throw new IOException(before.owner + " stored a file with this name");
        }
    }

    private synchronized void dropExpired() throws IOException {
        long now = node.runtime().nanoTime();
        for (Kept each : List.copyOf(kept.values())) {
            if (now - each.used > expiry.toNanos() && !each.store.isShared()) {
                kept.values().remove(each);
                each.store.close();
            }
        }
    }

    private synchronized void fulfil(long size) {
        promised -= size;
    }

    private void replace(String name, Store store, Nid owner) throws IOException {
        @Nullable Kept before;
        synchronized (this) {
            // `requirePlace` is called before and after a transfer, because other nodes may store files during the
            // transfer.
            requirePlace(name, owner);
            before = kept.put(name, new Kept(store, owner, node.runtime().nanoTime()));
        }
        if (before != null) {
            before.store.close();
        }
    }

    private synchronized @Nullable Store retained(String name) throws IOException {
        dropExpired();
        @Nullable Kept file = kept.get(name);
        if (file == null) {
            return null;
        }
        file.store.retain();
        return file.store;
    }

    /**
     * Releases the stored data after a peer has fetched the file. If the file is still stored under its name, the
     * expiry time of the file starts again.
     */
    private synchronized void release(String name, Store store) throws IOException {
        kept.computeIfPresent(
                name,
                (_, file) -> file.store.equals(store)
                        ? new Kept(store, file.owner, node.runtime().nanoTime())
                        : file);
        store.close();
    }

    private Optional<byte[]> let(Conversation with, String name)
            throws IOException, DemoException, InterruptedException {
        @Nullable Store store = retained(name);
        if (store == null) {
            refuse(with);
            return Optional.empty();
        }
        try {
            return Optional.of(share(store, with, Offer.encode(store.size(), store.messageSize()), 0));
        } finally {
            release(name, store);
        }
    }

    /**
     * Lets the peer PUT and GET the bytes of a {@link Store}, and returns the SHA-256 of these bytes. Throws
     * {@link DemoException} if the peer used fewer messages than the given number.
     */
    private byte[] share(Store store, Conversation with, long number, long messages)
            throws IOException, DemoException, InterruptedException {
        // The `Store` must stay open while LNet messages can access its memory.
        store.retain();
        Store.Offered offered;
        try {
            offered = store.offer(node, with.peer(), with.transaction());
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
        boolean withdrawn = false;
        try {
            with.say(Word.READY, number, NOTHING, TargetRun.ANSWER_TIME);
            TargetRun.awaitTheEnd(node, with, offered, stall);
        } finally {
            withdrawn = offered.withdraw(stall);
            if (withdrawn) {
                store.close();
            }
        }
        if (offered.moves().get() < messages) {
            throw new DemoException(with.peer() + " ended the transfer before all its messages were complete");
        }
        if (!withdrawn) {
            throw new DemoException("messages of " + with.peer() + " are still in flight");
        }
        return HexFormat.of().parseHex(Sha256.of("SHA-256", store, silent));
    }

    /**
     * Stops serving. Does not unmap the stored files, because the LNet node still exists and may access the mapped memory.
     * The stored files are unmapped when the process exits.
     */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        workers.shutdownNow();
        try {
            thread.join();
            workers.awaitTermination(Transfer.STALL.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        control.close();
    }
}
