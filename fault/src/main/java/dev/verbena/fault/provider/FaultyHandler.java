// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import java.util.function.UnaryOperator;

/**
 * Calls the program's handler for a completion queue whose completions a test may delay. Each arming of the queue permits
 * one call of the handler, for a new completion or for a delayed completion. Thread-safe.
 */
final class FaultyHandler implements CompletionHandler {
    private final CompletionHandler program;
    private final UnaryOperator<CompletionQueue> shown;
    /** The lock that serializes calls of the program's handler. */
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

    /** Waits until no other thread runs the program's handler, then stores whether the completion queue is closed. */
    void closed(boolean gone) {
        synchronized (calling) {
            closed = gone;
        }
    }
}
