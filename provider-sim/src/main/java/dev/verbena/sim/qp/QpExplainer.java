package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.verbs.Explanation;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RootCause;
import dev.verbena.verbs.Suspect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Creates the explanation of a queue pair. Applications call it at any time. A report may show a change by the engines in part. */
public final class QpExplainer {
    private final QpContext qp;
    private final Sender sender;
    private final Receiver receiver;

    QpExplainer(QpContext qp, Sender sender, Receiver receiver) {
        this.qp = qp;
        this.sender = sender;
        this.receiver = receiver;
    }

    /**
     * Explains the queue pair.
     *
     * @param title the first line
     * @param suspects the usual causes of the status to be explained
     * @param attributes the attributes that were set
     * @param surroundings the facts that the device knows
     * @return the explanation
     */
    public Explanation explain(
            String title, List<Suspect> suspects, QpAttributes attributes, QpSurroundings surroundings) {
        QpRecord.Failure failure = qp.record.failure();
        return new Explanation(
                title,
                facts(attributes, surroundings),
                rootCause(),
                QpFindings.of(qp, failure, attributes, surroundings),
                suspects);
    }

    /**
     * Returns the first failure.
     *
     * @return the root cause, or empty while nothing has failed
     */
    public Optional<RootCause> rootCause() {
        return FailureText.rootCause(qp.record.failure());
    }

    /**
     * Returns the outstanding requests and the state of both halves.
     *
     * @return one line
     */
    public String standing() {
        List<String> facts = new ArrayList<>();
        sender.describe(facts);
        Ring receives = qp.receiveQueue;
        facts.add("next expected " + receiver.psn());
        facts.add("sends: " + sendQueue());
        facts.add("receives: " + receives.count() + " of " + receives.capacity());
        rootCause().ifPresent(cause -> facts.add("first cause: " + cause));
        return String.join("; ", facts);
    }

    private List<String> facts(QpAttributes attributes, QpSurroundings surroundings) {
        List<String> facts = new ArrayList<>();
        QpState state = qp.state();
        facts.add("state: " + state + (qp.isDraining() ? ", draining" : ""));
        if (attributes.has(QpAttribute.DEST_QPN)) {
            facts.add("peer: QP " + attributes.destinationQpn()
                    + attributes
                            .addressVector()
                            .route()
                            .map(route -> " at GID " + route.destination() + " from GID index " + route.sgidIndex())
                            .orElse(""));
        }
        facts.add("attributes: " + attributes);
        sender.describe(facts);
        facts.add("PSNs: next expected " + receiver.psn() + seen(", last accepted ", qp.record.receiving.lastRequestPsn)
                + seen(", last answered by the peer ", qp.record.lastResponsePsn));
        if (qp.record.lastNakSyndrome != QpRecord.NONE) {
            facts.add("last NAK received: " + FailureText.nak(qp.record.lastNakSyndrome) + " for PSN "
                    + qp.record.lastNakPsn);
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
        Ring ring = qp.sendQueue;
        int consumer = ring.consumer();
        int count = ring.count();
        String text = count + " of " + ring.capacity() + " requests";
        if (count == 0) {
            return text;
        }
        SendWqe oldest = new SendWqe(qp.type).wrap(qp.sendQueue.slots(), qp.sendQueue.offset(consumer));
        return text + ", the oldest is " + oldest.opcode() + " " + oldest.workRequestId() + ", " + oldest.state();
    }

    private void counted(List<String> facts) {
        List<String> counts = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            int count = qp.record.count(counter.ordinal());
            if (count != 0) {
                counts.add(counter.label() + " " + count);
            }
        }
        if (!counts.isEmpty()) {
            facts.add("counted: " + String.join(", ", counts));
        }
    }
}
