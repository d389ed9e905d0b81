// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;

/**
 * An explanation of a completion or a queue pair for the user, by {@link WorkCompletion#explain()} or
 * {@link QueuePair#explain()}. Immutable. The texts of an explanation may change from version to version. A program
 * that needs the cause reads {@link Finding#hint()} and {@link RootCause#failure()}, not the texts.
 *
 * @param title one line that names the explained object
 * @param facts lines of text with the attributes, the peer, the sequence numbers, the retry counts and the queues
 * @param rootCause the failure that ended the queue pair; empty if the queue pair has not failed or the provider does not know
 *     the failure
 * @param findings the hints that apply to the object, the most likely cause first; empty if the provider found no hint or does
 *     not search for hints
 * @param suspects the usual causes of the completion's status, on any device
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
     * Explains a completion only by its status, for providers without further knowledge.
     *
     * @param completion the completion
     * @return an explanation with the usual causes of the completion's status
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
     * Describes a completion by its status, the number and name of the status in {@code verbs.h}, its request and its queue pair.
     *
     * @param completion the completion
     * @return one line
     */
    public static String titleOf(WorkCompletion completion) {
        WorkCompletionStatus status = completion.status();
        return status + " (" + status.code() + ", " + status.verbsName() + ", " + status.description() + ") of request "
                + completion.workRequestId() + " on QP " + completion.qpNumber()
                + (completion.vendorError() == 0 ? "" : ", vendor error " + completion.vendorError());
    }

    /**
     * Returns whether the findings contain a hint.
     *
     * @param hint the hint
     * @return whether one of the findings in this explanation contains the given hint
     */
    public boolean has(Hint hint) {
        return findings.stream().anyMatch(finding -> finding.hint() == hint);
    }

    /** {@return the text of all parts of the explanation that are not empty, each with a heading} */
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
