// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notifies programs that a channel has events, by a {@link CompletionStage} and by the source of a pipe for a
 * {@link java.nio.channels.Selector}. A provider has one for each channel, {@linkplain #signal signals} it after each
 * addition, and reports each {@linkplain #polled poll}. A channel that no program watches costs one read of a field.
 *
 * <p><b>At most one byte is in the pipe</b>, and exactly one while the channel has events, from the program's first
 * call for the pipe on.
 *
 * <p>May be used from several threads.
 *
 * @since 1.0
 */
public final class Readiness {
    private static final int FIRST_SWEEP = 64;

    private final BooleanSupplier isReady;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<CompletableFuture<Void>> stages = new ArrayList<>();

    /**
     * The number of stages at which cancelled stages are removed next. The threshold doubles, so the cost per stage is
     * constant.
     */
    private int sweepAt = FIRST_SWEEP;

    private @Nullable Pipe pipe;
    private boolean closed;

    /** Whether there is a stage or a pipe; written under the lock, as the next. */
    private volatile boolean watched;

    private volatile boolean byteInPipe;

    /**
     * Makes one for a channel.
     *
     * @param isReady whether the channel has events; called from any thread, and with a lock of this object held
     * @param executor completes the stages, so that the program's code runs in no thread of the provider. If the
     *     executor refuses, the signaling thread completes the stage
     */
    public Readiness(BooleanSupplier isReady, Executor executor) {
        this.isReady = isReady;
        this.executor = executor;
    }

    /**
     * Notes that the channel has got something to take, or that a handler was set or removed, which can change the answer of {@code
     * isReady} in both directions. The caller holds no lock that {@code isReady} takes.
     */
    public void signal() {
        // A watcher that comes after this read sees the addition.
        VarHandle.fullFence();
        if (watched) {
            pass();
        }
    }

    /** Notes that the program has polled, and may have taken the last thing. */
    public void polled() {
        if (byteInPipe && !isReady.getAsBoolean()) {
            pass();
        }
    }

    /** Completes stages and brings the pipe in line with the channel. */
    private void pass() {
        List<CompletableFuture<Void>> complete = List.of();
        lock.lock();
        try {
            boolean ready = isReady.getAsBoolean();
            if (ready) {
                complete = List.copyOf(stages);
                stages.clear();
            }
            fill(ready);
            watched = pipe != null || !stages.isEmpty();
        } finally {
            lock.unlock();
        }
        complete.forEach(stage -> execute(() -> stage.complete(null)));
    }

    /** Refused work runs in the calling thread: the stage may be the only thing that the program waits for. */
    private void execute(Runnable completion) {
        try {
            executor.execute(completion);
        } catch (RejectedExecutionException | OutOfMemoryError refused) {
            // A second completion of a stage has no effect, should the executor have queued the first one.
            completion.run();
        }
    }

    private void fill(boolean ready) {
        if (pipe == null || closed || byteInPipe == ready) {
            return;
        }
        Pipe used = pipe;
        try {
            if (ready) {
                used.sink().write(ByteBuffer.allocate(1));
            } else {
                used.source().read(ByteBuffer.allocate(1));
            }
            byteInPipe = ready;
        } catch (IOException closedByTheProgram) {
            // The program no longer waits by this pipe; its next call gets another one.
            pipe = null;
            byteInPipe = false;
            close(used);
        }
    }

    /**
     * Makes a stage that completes as soon as the channel has an event. The stage is kept until then, or until the
     * program cancels or completes its {@link CompletionStage#toCompletableFuture()}.
     *
     * @return a new stage; it fails with {@code EBADF} when the channel is closed first
     */
    public CompletionStage<Void> stage() {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(new VerbsException(Errno.EBADF, "poll", "the channel is closed"));
            }
            if (stages.size() >= sweepAt) {
                stages.removeIf(CompletableFuture::isDone);
                sweepAt = Math.max(FIRST_SWEEP, 2 * stages.size());
            }
            stages.add(stage);
            watched = true;
        } finally {
            lock.unlock();
        }
        signal();
        return stage;
    }

    /**
     * Returns the source of the pipe, which is made when this is called first.
     *
     * @return a source in non-blocking mode, the same each time; it is closed with the channel
     * @throws VerbsException {@code EBADF} after the channel was closed; {@link Errno#UNKNOWN} for {@code EMFILE} if no
     *     pipe can be made
     */
    public SelectableChannel selectable() throws VerbsException {
        Pipe made;
        lock.lock();
        try {
            if (closed) {
                throw new VerbsException(Errno.EBADF, "poll", "the channel is closed");
            }
            if (pipe == null) {
                pipe = open();
            }
            made = pipe;
            watched = true;
        } finally {
            lock.unlock();
        }
        signal();
        return made.source();
    }

    private static Pipe open() throws VerbsException {
        try {
            Pipe made = Pipe.open();
            made.source().configureBlocking(false);
            made.sink().configureBlocking(false);
            return made;
        } catch (IOException refused) {
            throw new VerbsException(
                    Errno.UNKNOWN,
                    "pipe",
                    "no pipe for a selector could be made: " + refused.getMessage()
                            + "; raise the limit of open files (ulimit -n)",
                    refused);
        }
    }

    /** Notes that the channel is closed: stages fail and the pipe is closed, which cancels its selection keys. Idempotent. */
    public void close() {
        List<CompletableFuture<Void>> fail;
        Pipe open;
        lock.lock();
        try {
            closed = true;
            fail = List.copyOf(stages);
            stages.clear();
            open = pipe;
            pipe = null;
            watched = false;
            byteInPipe = false;
        } finally {
            lock.unlock();
        }
        fail.forEach(stage -> execute(
                () -> stage.completeExceptionally(new VerbsException(Errno.EBADF, "poll", "the channel was closed"))));
        if (open != null) {
            close(open);
        }
    }

    private static void close(Pipe pipe) {
        try (Pipe.SourceChannel _ = pipe.source();
                Pipe.SinkChannel _ = pipe.sink()) {
            // Both ends are closed, even if closing the first one throws.
        } catch (IOException unusable) {
            throw new UncheckedIOException("the pipe of a channel could not be closed", unusable);
        }
    }
}
