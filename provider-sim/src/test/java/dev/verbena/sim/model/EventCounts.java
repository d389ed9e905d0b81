// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOpcode;
import java.util.Map;
import java.util.TreeMap;

/** Counts the events of programs. */
final class EventCounts {
    private final Map<String, Long> counts = new TreeMap<>();
    private long operations;

    static String posted(QpType type, SendOpcode opcode) {
        return "posted " + type + " " + opcode;
    }

    /** Returns the name of a send's completion: by its operation if it succeeded, otherwise by its status. */
    static String sent(QpType type, Enum<?> end) {
        return "sent " + type + " " + end;
    }

    /** Returns the name of a receive's completion, likewise. */
    static String received(QpType type, Enum<?> end) {
        return "received " + type + " " + end;
    }

    static String postedReceive(QpType type, boolean shared) {
        return "posted " + type + (shared ? " shared" : "") + " receive";
    }

    static String refused(PostRefusal refusal) {
        return "refused " + refusal;
    }

    static String fault(Fault.Kind kind) {
        return "fault " + kind;
    }

    static String event(AsyncEventType type) {
        return "event " + type;
    }

    void count(String what) {
        add(what, 1);
    }

    void add(String what, long times) {
        counts.merge(what, times, Long::sum);
    }

    /** Counts the completions of the sends of a queue pair. */
    void countSent(End end) {
        end.sent.forEach(done -> count(sent(end.type(), done.isGood() ? done.opcode() : done.status())));
    }

    /** Counts the completions of the receives of a queue pair. */
    void countReceived(End end) {
        end.received.forEach(done -> count(received(end.type(), done.isGood() ? done.opcode() : done.status())));
    }

    /** Counts a request posted to a send queue. */
    void operation() {
        operations++;
    }

    long operations() {
        return operations;
    }

    void add(EventCounts other) {
        other.counts.forEach(this::add);
        operations += other.operations;
    }

    Map<String, Long> counts() {
        return counts;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format("%,d operations%n", operations));
        counts.forEach((what, times) -> text.append(String.format("%,12d %s%n", times, what)));
        return text.toString();
    }
}
