// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;
import java.util.Optional;

/**
 * An explanation of a completion or a queue pair for people to read: {@link WorkCompletion#explain()},
 * {@link QueuePair#explain()}. Immutable. The texts may change from version to version; programs use
 * {@link Finding#hint()} and {@link RootCause#failure()}.
 *
 * @param title the explained object, in one line
 * @param facts attributes, peer, sequence numbers, budgets, queues; one in a line
 * @param rootCause the failure that ended the queue pair; empty while the queue pair has not failed, or if the provider
 *     does not know
 * @param findings hints that apply here, the likeliest cause first; empty if the provider found none, or if it does not
 *     search for any
 * @param suspects the usual causes of the status, on any device
 * @since 1.0
 */
public record Explanation(
        String title,
        List<String> facts,
        Optional<RootCause> rootCause,
        List<Finding> findings,
        List<Suspect> suspects) {
    /** Keeps its own copies of the lists. */
    public Explanation {
        facts = List.copyOf(facts);
        findings = List.copyOf(findings);
        suspects = List.copyOf(suspects);
    }

    /**
     * Explains a completion by its status alone, for providers without further knowledge.
     *
     * @param completion the completion
     * @return the usual suspects of its status
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
     * Names a completion: status, number and name in {@code verbs.h}, request and queue pair.
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
     * Returns whether a hint applies.
     *
     * @param hint the hint
     * @return true if one of the findings has it
     */
    public boolean has(Hint hint) {
        return findings.stream().anyMatch(finding -> finding.hint() == hint);
    }

    /** Prints all of it, with a heading for each part that there is. */
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
