package dev.verbena.fault;

import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import java.util.function.UnaryOperator;

/**
 * The handler of a queue whose completions may be late: told once for each arming, of what comes by itself and of what was late.
 * May be used from several threads.
 */
final class FaultyHandler implements CompletionHandler {
    private final CompletionHandler program;
    private final UnaryOperator<CompletionQueue> shown;
    /** Held during calls, which may not overlap. */
    private final Object calling = new Object();

    private boolean armed;
    private boolean closed;

    FaultyHandler(CompletionHandler program, UnaryOperator<CompletionQueue> shown) {
        this.program = program;
        this.shown = shown;
    }

    synchronized void arm() {
        armed = true;
    }

    private synchronized boolean disarm() {
        boolean was = armed;
        armed = false;
        return was;
    }

    @Override
    public void onCompletion(CompletionQueue queue) {
        synchronized (calling) {
            if (!closed && disarm()) {
                program.onCompletion(shown.apply(queue));
            }
        }
    }

    /** Says whether the queue is gone; waits for a call that goes on. */
    void closed(boolean gone) {
        synchronized (calling) {
            closed = gone;
        }
    }
}
