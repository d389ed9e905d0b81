package dev.verbena.conformance;

import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a completion, with only the fields that are defined for its status.
 *
 * @param id the id that the poster gave
 * @param status how the request ended
 * @param qpNumber the local queue pair
 * @param opcode what was completed, or null unless the status is SUCCESS
 * @param byteLength bytes received, or -1 unless this is a receive that succeeded
 */
public record Completion(
        long id,
        WorkCompletionStatus status,
        int qpNumber,
        @Nullable WorkCompletionOpcode opcode,
        long byteLength) {
    static Completion of(WorkCompletion view) {
        boolean success = view.isSuccess();
        WorkCompletionOpcode opcode = success ? view.opcode() : null;
        boolean receive =
                opcode == WorkCompletionOpcode.RECEIVE || opcode == WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE;
        return new Completion(
                view.workRequestId(), view.status(), view.qpNumber(), opcode, receive ? view.byteLength() : -1);
    }

    /**
     * Lists the ids.
     *
     * @param completions any completions
     * @return their ids, in order
     */
    public static List<Long> ids(List<Completion> completions) {
        return completions.stream().map(Completion::id).toList();
    }

    /**
     * Lists the statuses.
     *
     * @param completions any completions
     * @return their statuses, in order
     */
    public static List<WorkCompletionStatus> statuses(List<Completion> completions) {
        return completions.stream().map(Completion::status).toList();
    }
}
