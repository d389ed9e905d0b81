// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnet.LnetMessage;
import dev.verbena.lnet.LnetMessageType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of LNet messages to one peer. The messages wait for a transmit descriptor, because too many earlier messages
 * to the peer are not finalized yet. The caller of each method of this class must hold the lock of the CPU partition.
 * Source: {@code lpni_txq}.
 */
final class DelayedMessages {

    /**
     * The maximum number of queued ACKs and REPLYs. This limit bounds the Java heap space that a peer can occupy if it
     * sends requests but accepts no responses.
     */
    static final int MAX_ANSWERS = 4096;

    private record Delayed(LnetMessage message, long deadline) {}

    private final Deque<Delayed> queue = new ArrayDeque<>();
    private int answers;
    private boolean starting;

    boolean isEmpty() {
        return queue.isEmpty();
    }

    private static boolean isAnswer(LnetMessage message) {
        return message.type() == LnetMessageType.ACK || message.type() == LnetMessageType.REPLY;
    }

    /** Returns false if the message is an ACK or REPLY, and {@link #MAX_ANSWERS} ACKs and REPLYs are already queued. */
    boolean add(LnetMessage message, long deadline) {
        if (isAnswer(message)) {
            if (answers == MAX_ANSWERS) {
                return false;
            }
            answers++;
        }
        queue.add(new Delayed(message, deadline));
        return true;
    }

    @Nullable LnetMessage poll() {
        @Nullable Delayed first = queue.poll();
        if (first == null) {
            return null;
        }
        answers -= isAnswer(first.message) ? 1 : 0;
        return first.message;
    }

    /**
     * Removes and returns the queued messages whose deadline has passed. The messages are queued in the order of their
     * deadlines.
     */
    List<LnetMessage> pollOverdue(long now) {
        List<LnetMessage> overdue = new ArrayList<>();
        for (Delayed first = queue.peek(); first != null && now - first.deadline >= 0; first = queue.peek()) {
            overdue.add(first.message);
            poll();
        }
        return overdue;
    }

    List<LnetMessage> pollAll() {
        List<LnetMessage> all = queue.stream().map(Delayed::message).toList();
        queue.clear();
        answers = 0;
        return all;
    }

    void forEach(BiConsumer<LnetMessage, Long> viewer) {
        queue.forEach(delayed -> viewer.accept(delayed.message, delayed.deadline));
    }

    /** Returns false if an earlier caller of this method has not yet called {@link #endStarting}. */
    boolean beginStarting() {
        boolean begun = !starting;
        starting = true;
        return begun;
    }

    void endStarting() {
        starting = false;
    }
}
