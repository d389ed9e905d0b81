package dev.verbena.sim.events;

import dev.verbena.sim.counters.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.function.Supplier;

/** Tells of one queue pair. May be used from several threads; allocates only while a recording asks for the event. */
public final class QpEvents {
    // Asked whether anybody records, as a new event each time would be garbage.
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
     * @param cause says what failed first, or is empty
     */
    public QpEvents(String device, int queuePair, Supplier<String> cause) {
        this.device = device;
        this.queuePair = queuePair;
        this.cause = cause;
    }

    /**
     * Tells that it is in a state, if that is another one than before.
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
     * Tells that the queue pair will send again.
     *
     * @param counter what was counted for it
     * @param time when, in nanoseconds of the runtime
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
     * Tells that a request failed.
     *
     * @param receive whether a receive
     * @param workRequestId the poster's id
     * @param status how it ended
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
