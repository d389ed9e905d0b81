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
 * LNet's messages for one peer that wait, without descriptor or memory of the node, until earlier ones have ended. First in, first
 * out. Used under the lock of the peer's partition. Source: {@code lpni_txq}.
 */
final class DelayedMessages {

    /** The most answers that may wait for a peer that keeps sending requests and accepts no answer. */
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

    /** Adds a message; false if it is an answer, and as many wait as may. */
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

    /** Removes the messages whose deadline has passed. The messages are in the order of their deadlines. */
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

    /** Shows each message and its deadline. */
    void forEach(BiConsumer<LnetMessage, Long> viewer) {
        queue.forEach(delayed -> viewer.accept(delayed.message, delayed.deadline));
    }

    /** Begins to start messages; false if a caller further up the stack does. */
    boolean beginStarting() {
        boolean begun = !starting;
        starting = true;
        return begun;
    }

    void endStarting() {
        starting = false;
    }
}
