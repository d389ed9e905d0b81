// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.CmEventHandler;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.VerbsRuntime.SerialTask;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a tool, which runs the tool's callbacks ({@link Step}) one at a time. The handlers of CM events and
 * completions submit callbacks to this event loop. The provider's scheduler ({@link VerbsRuntime}) runs the callbacks. In
 * virtual time, the thread that advances the time can run the callbacks of both client and server.
 */
final class ToolLoop implements AutoCloseable {
    /** The time limit for resolving an address or a route, as in librdmacm's tools. */
    static final Duration RESOLVING = Duration.ofSeconds(2);

    /** If the tool has no time limit, {@link #awaitEnd} repeats waits of at most this duration until the tool finishes. */
    private static final Duration LONG = Duration.ofHours(1);

    private final VerbsRuntime runtime;
    private final SerialTask task;
    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
    private volatile long lastStep;
    private volatile boolean ended;
    /** The first failure of the tool: a ToolException or an unchecked exception. */
    private volatile @Nullable Throwable failure;

    @FunctionalInterface
    interface Step {
        void run() throws VerbsException, ToolException;
    }

    /** A function that handles an event of a connection id. */
    @FunctionalInterface
    interface EventStep {
        void run(CmEventType type, ConnectionId id, int status) throws VerbsException, ToolException;
    }

    ToolLoop(VerbsRuntime runtime) {
        this.runtime = runtime;
        task = runtime.newSerialTask(this::runSteps);
        lastStep = runtime.nanoTime();
    }

    /** Submits a callback of the tool. The callback runs after all callbacks that were submitted earlier. */
    void submit(Step step) {
        steps.add(step);
        task.schedule();
    }

    CmEventHandler forEvents(EventStep step) {
        return event -> {
            // The event is valid only until the handler returns, so the handler first copies the fields of the event.
            CmEventType type = event.type();
            ConnectionId id = event.id();
            int status = event.status();
            submit(() -> step.run(type, id, status));
        };
    }

    private void runSteps() {
        Step step = steps.poll();
        while (step != null) {
            lastStep = runtime.nanoTime();
            try {
                step.run();
            } catch (ToolException e) {
                fail(e);
            } catch (VerbsException e) {
                fail(new ToolException(String.valueOf(e.getMessage())));
            } catch (RuntimeException | Error e) {
                // An unchecked exception is a bug of the `verbena` command. `awaitEnd` throws an `Error` unchanged, and
                // wraps a `RuntimeException` in an `IllegalStateException`.
                endBy(e);
            }
            step = steps.poll();
        }
    }

    void end() {
        ended = true;
        runtime.wakeUp();
    }

    /** Stops the command-line tool because of a failure. The tool reports only the first failure. */
    void fail(ToolException reason) {
        endBy(reason);
    }

    private void endBy(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
        end();
    }

    boolean isOver() {
        return ended;
    }

    /**
     * Waits until the tool has finished or failed, while the provider's scheduler runs the submitted callbacks. Returns
     * false if the time limit has passed first.
     */
    boolean await(Duration time) throws InterruptedException {
        return ended || runtime.await(() -> ended, time) || ended;
    }

    /**
     * Waits until the tool has finished. Throws {@link ToolException} if the tool failed, or if no callback of the tool ran
     * for the duration {@code patience}. If {@code patience} is null, the method waits without a time limit. Throws {@link
     * IllegalStateException} if a callback of the tool threw a {@link RuntimeException}.
     */
    void awaitEnd(@Nullable Duration patience) throws ToolException, InterruptedException {
        long from = runtime.nanoTime();
        Duration left = patience == null ? LONG : patience;
        while (!await(left)) {
            if (patience != null) {
                long quiet = runtime.nanoTime() - Math.max(lastStep, from);
                left = patience.minusNanos(quiet);
                if (left.isNegative() || left.isZero()) {
                    throw new ToolException(
                            "no event or completion arrived for " + patience.toSeconds() + " seconds (--wait)");
                }
            }
        }
        switch (failure) {
            case null -> {}
            case ToolException reason -> throw reason;
            case Error error -> throw error;
            case Throwable fault -> throw new IllegalStateException("a step of the tool failed", fault);
        }
    }

    /** Rejects a connection request, which the peer may have withdrawn, and closes the connection id of the request. */
    static void refuse(ConnectionId id) throws VerbsException {
        try {
            id.reject(new byte[0]);
        } catch (VerbsException withdrawn) {
            // The peer has withdrawn its request, so no rejection is needed.
        }
        id.close();
    }

    @Override
    public void close() {
        task.cancel();
    }
}
