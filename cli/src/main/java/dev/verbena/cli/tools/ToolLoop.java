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
 * What a tool does, one step after the other, whoever asks for it: handlers of events and completions leave their work here.
 * Runs in the time of a provider, so that both ends of a conversation can share one thread of virtual time.
 */
final class ToolLoop implements AutoCloseable {
    /** How long an address or a route may take to be found; what the originals wait. */
    static final Duration RESOLVING = Duration.ofSeconds(2);

    /** Between two looks at whether a tool that waits without limit has ended. */
    private static final Duration LONG = Duration.ofHours(1);

    private final VerbsRuntime runtime;
    private final SerialTask task;
    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
    private volatile long lastStep;
    private volatile boolean ended;
    /** A ToolException, or unchecked. */
    private volatile @Nullable Throwable failure;

    /** Something to do. */
    @FunctionalInterface
    interface Step {
        void run() throws VerbsException, ToolException;
    }

    /** What to do about an event of an id. */
    @FunctionalInterface
    interface EventStep {
        void run(CmEventType type, ConnectionId id, int status) throws VerbsException, ToolException;
    }

    ToolLoop(VerbsRuntime runtime) {
        this.runtime = runtime;
        task = runtime.newSerialTask(this::runSteps);
        lastStep = runtime.nanoTime();
    }

    /** Has something done after all that was submitted before. */
    void submit(Step step) {
        steps.add(step);
        task.schedule();
    }

    /** {@return a handler of a channel that leaves its events here} */
    CmEventHandler forEvents(EventStep step) {
        return event -> {
            // The event is its channel's again when the handler has returned.
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
                // A fault of the tool: the thread that waits for its end reports it.
                endBy(e);
            }
            step = steps.poll();
        }
    }

    /** The tool has done all it had to do. */
    void end() {
        ended = true;
        runtime.wakeUp();
    }

    /** The tool cannot go on; the first reason counts. */
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

    /** Lets steps run until the tool has ended; false if the time is over first. */
    boolean await(Duration time) throws InterruptedException {
        return ended || runtime.await(() -> ended, time) || ended;
    }

    /**
     * Lets steps run until the tool has ended.
     *
     * @param patience how long no step may run, or null to wait as long as it takes
     * @throws ToolException if the tool failed, or no step ran for so long
     * @throws IllegalStateException if a step threw an exception that is a fault of the tool
     */
    void awaitEnd(@Nullable Duration patience) throws ToolException, InterruptedException {
        long from = runtime.nanoTime();
        Duration left = patience == null ? LONG : patience;
        while (!await(left)) {
            if (patience != null) {
                long quiet = runtime.nanoTime() - Math.max(lastStep, from);
                left = patience.minusNanos(quiet);
                if (left.isNegative() || left.isZero()) {
                    throw new ToolException("nothing happened for " + patience.toSeconds() + " seconds (--wait)");
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

    /** Rejects a request, which its peer may have withdrawn, and closes its id. */
    static void refuse(ConnectionId id) throws VerbsException {
        try {
            id.reject(new byte[0]);
        } catch (VerbsException withdrawn) {
            // The request is not there any more, and so needs no answer.
        }
        id.close();
    }

    /** Takes no more steps. */
    @Override
    public void close() {
        task.cancel();
    }
}
