// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;

/**
 * A diagnosis of a completion, a queue pair or a completion queue, for a human reader. {@link WorkCompletion#explain()},
 * {@link QueuePair#explain()} and {@link CompletionQueue#explain()} return an {@code Explanation}. Immutable. The
 * diagnostic texts may change from version to version. An application that needs the cause should read {@link
 * Finding#hint()} and {@link RootCause#failure()}, not the texts.
 *
 * @param title one line that identifies the diagnosed completion, queue pair or completion queue
 * @param facts lines of text with the attributes, the peer, the sequence numbers, the retry counts and the queues
 * @param rootCause the error that moved the queue pair to ERR or SQE, otherwise the last failure of a work request; empty
 *     if nothing has failed or the provider does not know the failure
 * @param findings the certain and probable mistakes that the provider detected, with the most likely cause first; empty if
 *     the provider detected none or does not search for mistakes
 * @param suspects the usual causes of the completion's status on any device; empty if no completion is diagnosed
 * @since 1.0
 */
public record Explanation(
        String title,
        List<String> facts,
        Optional<RootCause> rootCause,
        List<Finding> findings,
        List<Suspect> suspects) {
    /** Copies the lists. */
    public Explanation {
        facts = List.copyOf(facts);
        findings = List.copyOf(findings);
        suspects = List.copyOf(suspects);
    }

    /**
     * Diagnoses a completion by the usual causes of the completion's status. The method {@code ofStatus} is for providers
     * that have no information beyond the completion itself.
     *
     * @param completion the completion
     * @return a diagnosis with the usual causes of the completion's status
     */
    public static Explanation ofStatus(WorkCompletion completion) {
        return new Explanation(
                titleOf(completion),
                List.of(),
                Optional.empty(),
                List.of(),
                completion.status().suspects());
    }

    /**
     * Describes the status, the request and the queue pair of a completion in one line. The returned line contains the
     * number and the {@code verbs.h} name of the status. The line ends with the vendor error unless the error is 0.
     *
     * @param completion the completion
     * @return the line, without a line terminator
     */
    public static String titleOf(WorkCompletion completion) {
        WorkCompletionStatus status = completion.status();
        return status + " (" + status.code() + ", " + status.verbsName() + ", " + status.description() + ") of request "
                + completion.workRequestId() + " on QP " + completion.qpNumber()
                + (completion.vendorError() == 0 ? "" : ", vendor error " + completion.vendorError());
    }

    /**
     * Returns whether the provider detected the mistake that a {@link Hint} describes.
     *
     * @param hint the hint
     * @return true if an element of {@code findings} has this {@code Hint}
     */
    public boolean has(Hint hint) {
        return findings.stream().anyMatch(finding -> finding.hint() == hint);
    }

    /** {@return the title of the diagnosis, followed by its other non-empty parts, each under a heading} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(title);
        part(text, "facts", facts);
        part(text, "first cause", rootCause.stream().toList());
        part(text, "found", findings);
        part(text, "usual suspects", suspects);
        return text.toString();
    }

    private static void part(StringBuilder text, String heading, List<?> lines) {
        if (!lines.isEmpty()) {
            text.append('\n').append(heading).append(':');
            lines.forEach(line -> text.append("\n  - ").append(line));
        }
    }
}
