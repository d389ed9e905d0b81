// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import dev.verbena.lnd.wire.MessageType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages of a connection are: in one of three queues, each first in first out, or active, which means
 * posted or waiting for an answer.
 *
 * <p>Each is a ring of descriptors that lead to the next one, known by its last one, as a descriptor is in one of them
 * only. So checking a connection that has nothing to send reads only a few bytes.
 *
 * @param <T> the owner's transmit descriptors
 */
@SuppressWarnings("ReferenceEquality") // A descriptor is only ever itself.
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

    /** Moves requests on for which there is a buffer for the answer. */
    void admit(CreditLedger ledger) {
        while (needReserved != null && ledger.reserve()) {
            T first = after(needReserved);
            needReserved = withoutFirst(needReserved);
            needCredit = append(needCredit, first);
        }
    }

    /** Returns the next message to send: one that needs no credit before one that does. */
    @Nullable T peek() {
        @Nullable T last = needNothing == null ? needCredit : needNothing;
        return last == null ? null : after(last);
    }

    /** Takes the message that {@link #peek} showed. */
    void remove(T first) {
        if (needNothing != null) {
            needNothing = withoutFirst(needNothing);
        } else if (needCredit != null) {
            needCredit = withoutFirst(needCredit);
        }
        first.queued(false);
    }

    /** Returns whether no message is queued that could carry credits without costing one. */
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

    /** Makes everything active, and returns it. */
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

    /** Appends a descriptor to a ring, and returns the new last one. */
    private static <T extends Transmit> T append(@Nullable T last, T transmit) {
        if (last == null) {
            transmit.next(transmit);
        } else {
            transmit.next(last.next());
            last.next(transmit);
        }
        return transmit;
    }

    /** Removes the first descriptor of a ring, and returns the last one of the others; null if none is left. */
    private static <T extends Transmit> @Nullable T withoutFirst(T last) {
        T first = after(last);
        unlink(last, first);
        return first == last ? null : last;
    }

    private static void unlink(Transmit before, Transmit transmit) {
        before.next(transmit.next());
        transmit.next(null);
    }

    /** Returns the next descriptor in the ring; after the last one comes the first. */
    @SuppressWarnings("unchecked") // Rings hold the owner's descriptors only.
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
