// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.MessageType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing messages of a connection: three FIFO queues, and the active messages ({@code ibc_active_txs}). The SEND of
 * an active message is outstanding, or the message waits for a response.
 *
 * <p>The FIFO queues and the active messages are circular linked lists of transmit descriptors. Each field refers to a
 * list's last transmit descriptor. The check for queued messages reads only a few bytes.
 */
@SuppressWarnings("ReferenceEquality") // Two transmit descriptors are equal only if they are the same object.
final class TransmitQueues<T extends Transmit> {

    private @Nullable T needReserved;
    private @Nullable T needNothing;
    private @Nullable T needCredit;
    private @Nullable T active;

    void add(T transmit) {
        MessageType type = transmit.type();
        transmit.queued(true);
        if (type.needsReservedCredit()) {
            needReserved = append(needReserved, transmit);
        } else if (type.needsCredit()) {
            needCredit = append(needCredit, transmit);
        } else {
            needNothing = append(needNothing, transmit);
        }
    }

    /**
     * Reserves receive buffers for the responses to queued PUT_REQs and GET_REQs ({@code ibc_reserved_credits}). Moves each
     * message with a reserved receive buffer to the queue of messages that wait for credits.
     */
    void admit(CreditLedger ledger) {
        while (needReserved != null && ledger.reserve()) {
            T first = after(needReserved);
            needReserved = withoutFirst(needReserved);
            needCredit = append(needCredit, first);
        }
    }

    /** Returns the next message to send, but does not remove it. Messages that need no credit are sent first. */
    @Nullable T peek() {
        @Nullable T last = needNothing == null ? needCredit : needNothing;
        return last == null ? null : after(last);
    }

    void remove(T first) {
        if (needNothing != null) {
            needNothing = withoutFirst(needNothing);
        } else if (needCredit != null) {
            needCredit = withoutFirst(needCredit);
        }
        first.queued(false);
    }

    /**
     * Returns whether every queued message consumes a credit. A queued message that consumes no credit makes a NOOP
     * unnecessary, because the queued message also returns credits to the peer.
     */
    boolean nothingFree() {
        return needNothing == null;
    }

    boolean nothingToPayFor() {
        return needCredit == null;
    }

    void activate(T transmit) {
        if (!transmit.isInRing()) {
            active = append(active, transmit);
        }
    }

    void deactivate(T transmit) {
        if (active == null || !transmit.isInRing()) {
            return;
        }
        T before = active;
        do {
            T each = after(before);
            if (each == transmit) {
                active = each == before ? null : each == active ? before : active;
                unlink(before, each);
                return;
            }
            before = each;
        } while (before != active);
    }

    @Nullable T findWaiting(MessageType type, long cookie) {
        if (active == null) {
            return null;
        }
        T each = active;
        do {
            each = after(each);
            if (each.isWaiting() && each.cookie() == cookie && each.type() == type) {
                return each;
            }
        } while (each != active);
        return null;
    }

    /** Moves all queued messages to the active messages ({@code ibc_active_txs}). Returns all active messages. */
    List<T> flush() {
        List<T> queued = new ArrayList<>();
        forEachOf(needReserved, queued::add);
        forEachOf(needNothing, queued::add);
        forEachOf(needCredit, queued::add);
        needReserved = null;
        needNothing = null;
        needCredit = null;
        for (T transmit : queued) {
            transmit.next(null);
            transmit.queued(false);
            activate(transmit);
        }
        List<T> all = new ArrayList<>();
        forEachOf(active, all::add);
        return all;
    }

    void forEach(Consumer<T> action) {
        forEachOf(needReserved, action);
        forEachOf(needNothing, action);
        forEachOf(needCredit, action);
        forEachOf(active, action);
    }

    boolean isOverdue(long now) {
        boolean[] overdue = {false};
        forEach(transmit -> overdue[0] |= now - transmit.deadline() >= 0);
        return overdue[0];
    }

    int size() {
        int[] count = {0};
        forEach(transmit -> count[0]++);
        return count[0];
    }

    /** Appends a transmit descriptor to a circular linked list, and returns the new last element. */
    private static <T extends Transmit> T append(@Nullable T last, T transmit) {
        if (last == null) {
            transmit.next(transmit);
        } else {
            transmit.next(last.next());
            last.next(transmit);
        }
        return transmit;
    }

    /** Removes the first transmit descriptor of a circular linked list. Returns the last one; null if the list is empty. */
    private static <T extends Transmit> @Nullable T withoutFirst(T last) {
        T first = after(last);
        unlink(last, first);
        return first == last ? null : last;
    }

    private static void unlink(Transmit before, Transmit transmit) {
        before.next(transmit.next());
        transmit.next(null);
    }

    /** Returns the next transmit descriptor in a circular linked list, where the first one follows the last one. */
    @SuppressWarnings("unchecked") // A transmit descriptor is linked only to descriptors of its own Java class.
    private static <T extends Transmit> T after(T transmit) {
        return (T) Objects.requireNonNull(transmit.next(), "a descriptor in no ring");
    }

    private static <T extends Transmit> void forEachOf(@Nullable T last, Consumer<T> action) {
        if (last == null) {
            return;
        }
        T each = last;
        do {
            each = after(each);
            action.accept(each);
        } while (each != last);
    }
}
