package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.MessageType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages of a connection are: in one of three queues, each first in first out, or active, which means posted or
 * waiting for an answer.
 *
 * @param <T> the owner's transmit descriptors
 */
final class TransmitQueues<T extends Transmit> {

    private final Deque<T> needReserved = new ArrayDeque<>();
    private final Deque<T> needNothing = new ArrayDeque<>();
    private final Deque<T> needCredit = new ArrayDeque<>();
    private final List<T> active = new ArrayList<>();

    void add(T transmit) {
        MessageType type = transmit.type();
        Deque<T> queue = type.needsReservedCredit() ? needReserved : type.needsCredit() ? needCredit : needNothing;
        transmit.queued(true);
        queue.add(transmit);
    }

    /** Moves requests on for which there is a buffer for the answer. */
    void admit(CreditLedger ledger) {
        while (!needReserved.isEmpty() && ledger.reserve()) {
            needCredit.add(needReserved.remove());
        }
    }

    /** The message whose turn it is: one that needs no credit before one that does. */
    @Nullable T peek() {
        T first = needNothing.peek();
        return first == null ? needCredit.peek() : first;
    }

    /** Takes the message that {@link #peek} showed. */
    T remove() {
        T first = needNothing.isEmpty() ? needCredit.remove() : needNothing.remove();
        first.queued(false);
        return first;
    }

    /** Whether no message is queued that could carry credits without costing one. */
    boolean nothingFree() {
        return needNothing.isEmpty();
    }

    boolean nothingToPayFor() {
        return needCredit.isEmpty();
    }

    void activate(T transmit) {
        if (!active.contains(transmit)) {
            active.add(transmit);
        }
    }

    void deactivate(T transmit) {
        active.remove(transmit);
    }

    @Nullable T findWaiting(MessageType type, long cookie) {
        for (T transmit : active) {
            if (transmit.isWaiting() && transmit.cookie() == cookie && transmit.type() == type) {
                return transmit;
            }
        }
        return null;
    }

    /** Makes everything active, and returns it. */
    List<T> flush() {
        for (Deque<T> queue : List.of(needReserved, needNothing, needCredit)) {
            for (T transmit = queue.poll(); transmit != null; transmit = queue.poll()) {
                transmit.queued(false);
                activate(transmit);
            }
        }
        return List.copyOf(active);
    }

    void forEach(Consumer<T> action) {
        for (Iterable<T> transmits : List.of(needReserved, needNothing, needCredit, active)) {
            transmits.forEach(action);
        }
    }

    boolean isOverdue(long now) {
        boolean[] overdue = {false};
        forEach(transmit -> overdue[0] |= now - transmit.deadline() >= 0);
        return overdue[0];
    }

    int size() {
        return needReserved.size() + needNothing.size() + needCredit.size() + active.size();
    }
}
