// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.Suspect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Creates the diagnosis ({@link Explanation}) of a queue pair. Any thread may request the diagnosis at any time. If the
 * requester or responder changes the queue pair at the same time, the diagnosis may contain only some of the new values.
 */
public final class QpExplainer {
    private final QpRecord record;
    private final QpFacts qp;

    public QpExplainer(QpRecord record, QpFacts qp) {
        this.record = record;
        this.qp = qp;
    }

    /**
     * Returns the diagnosis of the queue pair.
     *
     * @param title the first line of the diagnosis
     * @param suspects the usual causes of the completion status, or an empty list if the caller diagnoses no completion
     */
    public Explanation explain(
            String title, List<Suspect> suspects, QpAttributes attributes, QpSurroundings surroundings) {
        QpRecord.Failure failure = record.failure();
        return new Explanation(
                title,
                facts(attributes, surroundings),
                rootCause(),
                QpFindings.of(record, qp, failure, attributes, surroundings),
                suspects);
    }

    /** Returns the first failure as a {@link RootCause}; empty if neither the queue pair nor a work request has failed. */
    public Optional<RootCause> rootCause() {
        return FailureText.rootCause(record.failure());
    }

    public boolean hasOutstanding() {
        return !qp.sendQueue().isEmpty() || !qp.receiveQueue().isEmpty();
    }

    public String standing() {
        List<String> facts = new ArrayList<>(qp.sending());
        Ring receives = qp.receiveQueue();
        facts.add("next expected " + qp.expectedPsn());
        facts.add("sends: " + sendQueue());
        facts.add("receives: " + receives.count() + " of " + receives.capacity());
        rootCause().ifPresent(cause -> facts.add("first cause: " + cause));
        return "QP " + qp.number() + " (" + qp.type() + ", " + qp.state() + "): " + String.join("; ", facts);
    }

    private List<String> facts(QpAttributes attributes, QpSurroundings surroundings) {
        List<String> facts = new ArrayList<>();
        facts.add("state: " + qp.state() + (qp.draining() ? ", draining" : ""));
        if (attributes.has(QpAttribute.DEST_QPN)) {
            facts.add("peer: QP " + attributes.destinationQpn()
                    + attributes
                            .addressVector()
                            .route()
                            .map(route -> " at GID " + route.destination() + " from GID index " + route.sgidIndex())
                            .orElse(""));
        }
        facts.add("attributes: " + attributes);
        facts.addAll(qp.sending());
        facts.add("PSNs: next expected " + qp.expectedPsn()
                + seen(", last accepted ", record.receiving.lastRequestPsn)
                + seen(", last answered by the peer ", record.lastResponsePsn));
        if (record.lastNakSyndrome != QpRecord.NONE) {
            facts.add(
                    "last NAK received: " + FailureText.nak(record.lastNakSyndrome) + " for PSN " + record.lastNakPsn);
        }
        facts.add("send queue: " + sendQueue());
        facts.add("receive queue: " + surroundings.receives());
        counted(facts);
        return facts;
    }

    private static String seen(String what, int psn) {
        return psn == QpRecord.NONE ? what + "none" : what + psn;
    }

    private String sendQueue() {
        WorkQueue ring = qp.sendQueue();
        int consumer = ring.consumer();
        int count = ring.count();
        String text = count + " of " + ring.capacity() + " requests";
        if (count == 0) {
            return text;
        }
        SendWqe oldest = new SendWqe(qp.type()).wrap(ring.slots(), ring.offset(consumer));
        return text + ", the oldest is " + oldest.opcode() + " " + oldest.workRequestId() + ", " + oldest.state();
    }

    private void counted(List<String> facts) {
        List<String> counts = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            int count = record.count(counter.ordinal());
            if (count != 0) {
                counts.add(counter.label() + " " + count);
            }
        }
        if (!counts.isEmpty()) {
            facts.add("counted: " + String.join(", ", counts));
        }
    }
}
