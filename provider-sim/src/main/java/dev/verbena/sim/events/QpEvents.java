// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.events;

import dev.verbena.sim.counters.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.function.Supplier;

/** Emits the flight recorder events of one queue pair. Thread-safe. Events are allocated only while JFR records them. */
public final class QpEvents {
    // The code calls only `isEnabled()` of the following events, to find out whether JFR records the event type.
    private static final QpTransitionEvent TRANSITIONS = new QpTransitionEvent();
    private static final RetransmissionEvent RETRANSMISSIONS = new RetransmissionEvent();
    private static final CompletionErrorEvent ERRORS = new CompletionErrorEvent();

    private final String device;
    private final int queuePair;
    private final Supplier<String> cause;
    private volatile QpState told = QpState.RESET;

    /** The supplier {@code cause} returns a text about the queue pair's first failure, or an empty text. */
    public QpEvents(String device, int queuePair, Supplier<String> cause) {
        this.device = device;
        this.queuePair = queuePair;
        this.cause = cause;
    }

    public void state(QpState now) {
        QpState before = told;
        if (before == now) {
            return;
        }
        told = now;
        if (TRANSITIONS.isEnabled()) {
            QpTransitionEvent event = new QpTransitionEvent();
            event.device = device;
            event.queuePair = queuePair;
            event.from = before.name();
            event.to = now.name();
            event.cause = cause.get();
            event.commit();
        }
    }

    /**
     * Emits an event about the retransmission that incremented {@code counter}. The argument {@code time} is the current
     * {@code SimRuntime.nanoTime()}.
     */
    public void counted(Counter counter, long time) {
        if (RETRANSMISSIONS.isEnabled()) {
            RetransmissionEvent event = new RetransmissionEvent();
            event.device = device;
            event.queuePair = queuePair;
            event.counter = counter.label();
            event.time = time;
            event.commit();
        }
    }

    public void failed(boolean receive, long workRequestId, WorkCompletionStatus status) {
        if (ERRORS.isEnabled()) {
            CompletionErrorEvent event = new CompletionErrorEvent();
            event.device = device;
            event.queuePair = queuePair;
            event.workRequestId = workRequestId;
            event.receive = receive;
            event.status = status.name();
            event.cause = cause.get();
            event.commit();
        }
    }
}
