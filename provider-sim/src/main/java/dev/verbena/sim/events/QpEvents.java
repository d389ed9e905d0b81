// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.events;

import dev.verbena.sim.counters.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.function.Supplier;

/**
 * Emits the flight recorder events of one queue pair. Thread-safe. Allocates only while a recording has the event
 * enabled.
 */
public final class QpEvents {
    // Used only to ask whether a recording is running; a new event for each question would be garbage.
    private static final QpTransitionEvent TRANSITIONS = new QpTransitionEvent();
    private static final RetransmissionEvent RETRANSMISSIONS = new RetransmissionEvent();
    private static final CompletionErrorEvent ERRORS = new CompletionErrorEvent();

    private final String device;
    private final int queuePair;
    private final Supplier<String> cause;
    private volatile QpState told = QpState.RESET;

    /**
     * Makes the events of a queue pair that is in RESET.
     *
     * @param device the name of its device
     * @param queuePair its number
     * @param cause returns the first failure, or an empty text
     */
    public QpEvents(String device, int queuePair, Supplier<String> cause) {
        this.device = device;
        this.queuePair = queuePair;
        this.cause = cause;
    }

    /**
     * Emits a transition if the state differs from the last one.
     *
     * @param now the state
     */
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
     * Emits a retransmission.
     *
     * @param counter the counter that was incremented for it
     * @param time the time, in nanoseconds of the runtime
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

    /**
     * Emits a failed request.
     *
     * @param receive true for a receive
     * @param workRequestId the poster's id
     * @param status the status
     */
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
