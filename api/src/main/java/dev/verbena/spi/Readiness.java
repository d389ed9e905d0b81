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
 * Notifies applications that a completion channel or event channel has events. To notify an application, {@code Readiness}
 * completes a {@link CompletionStage} or writes a byte to a pipe. To wait for events of several channels, an application
 * can register the pipe's source with a {@link java.nio.channels.Selector}. A provider creates one {@code Readiness} object
 * for each completion channel and each event channel. The provider calls {@link #signal} when it has added an event to the
 * completion or event channel, and {@link #polled} after each poll of that channel. Before the first call of {@link #stage}
 * or {@link #selectable}, {@link #signal} only executes a memory fence and reads one field. Thread-safe.
 *
 * <p><b>At most one byte is in the notification pipe.</b> After the first {@link #selectable} call, the pipe has a byte if
 * and only if the completion or event channel has events.
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
     * If {@code stages} has {@code sweepAt} or more elements, {@link #stage} first removes the cancelled stages. Each
     * removal of cancelled stages sets {@code sweepAt} to at least twice the number of remaining stages. The mean cost of a
     * {@code stage()} call does not depend on the number of stages.
     */
    private int sweepAt = FIRST_SWEEP;

    private @Nullable Pipe pipe;
    private boolean closed;

    /** True while {@code stages} has elements or a pipe is open. Only a thread with {@code lock} changes this field. */
    private volatile boolean watched;

    private volatile boolean byteInPipe;

    /**
     * Creates the {@code Readiness} of one completion channel or event channel.
     *
     * @param isReady the function that returns whether the completion or event channel has events. Any thread may call the
     *     function, even a thread that holds the lock of this {@code Readiness}
     * @param executor the executor that completes each {@link #stage()}; the completion can run application code. If the
     *     executor rejects the {@code Runnable} of a stage, the thread that calls {@link #signal} completes the stage
     */
    public Readiness(BooleanSupplier isReady, Executor executor) {
        this.isReady = isReady;
        this.executor = executor;
    }

    /**
     * Notifies the application of a new event in the completion or event channel. A provider also calls {@code signal}
     * after it has set or removed the handler of an event channel. While a handler is set, it gets the events that the
     * application would otherwise poll. The caller must not hold a lock that {@code isReady} acquires.
     */
    public void signal() {
        // The memory fence makes the caller's new event visible to other threads before the caller reads `watched`.
        // Without this memory fence, a concurrent call of stage() or selectable() could miss the new event.
        VarHandle.fullFence();
        if (watched) {
            pass();
        }
    }

    /** Removes the byte from the notification pipe if the completion or event channel has no more events. */
    public void polled() {
        if (byteInPipe && !isReady.getAsBoolean()) {
            pass();
        }
    }

    /**
     * Updates the completion stages and the notification pipe after the channel's events have changed. If the channel has
     * events, completes all stages, and writes a byte to a pipe that has none. If the channel has no events, removes the
     * byte from the pipe.
     */
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

    /**
     * If the executor rejects the {@code Runnable} that completes a stage, the calling thread runs the {@code Runnable}.
     * Without this run, the stage might never complete.
     */
    private void execute(Runnable completion) {
        try {
            executor.execute(completion);
        } catch (RejectedExecutionException | OutOfMemoryError refused) {
            // Even if the executor throws, it may run the Runnable later. Completing a stage a second time has no
            // effect.
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
            // The application has closed the selectable channel (the pipe's source). The next call of selectable()
            // opens another pipe.
            pipe = null;
            byteInPipe = false;
            close(used);
        }
    }

    /**
     * Creates a stage that completes as soon as the completion or event channel has an event. The stage remains in memory
     * until the stage completes. If the application cancels the stage's {@link CompletionStage#toCompletableFuture()}, a
     * later {@code stage()} call can remove the stage.
     *
     * @return a new stage, which fails with {@code EBADF} if the channel is closed before an event arrives
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
     * Returns the source of the pipe; the first call opens the pipe.
     *
     * @return the source of the non-blocking pipe, the same source for each call; {@link #close} closes the source
     * @throws VerbsException {@code EBADF} after the channel was closed; {@link Errno#UNKNOWN} if no pipe can be opened, such as
     *     after {@code EMFILE}
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
                    "the pipe for a selector could not be created: " + refused.getMessage()
                            + "; raise the limit of open files (ulimit -n)",
                    refused);
        }
    }

    /**
     * Closes the notification pipe and thereby cancels the selection keys of the pipe. Each completion stage of this {@code
     * Readiness} that is not yet complete fails with {@code EBADF}. Idempotent.
     */
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
            // The try statement closes the source of the pipe even if closing the sink throws an exception.
        } catch (IOException unusable) {
            throw new UncheckedIOException("the pipe of a channel could not be closed", unusable);
        }
    }
}
