// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Optional;

/**
 * A copy of a completion, with only the fields that are defined for its status.
 *
 * @param id the poster's id of the request
 * @param status how the request ended
 * @param qpNumber the local queue pair
 * @param success the fields of a success, otherwise empty
 */
public record Completion(long id, WorkCompletionStatus status, int qpNumber, Optional<Success> success) {
    /**
     * The fields that are defined for a success alone.
     *
     * @param opcode the completed operation
     * @param byteLength bytes received by a receive, moved by a READ or an atomic; otherwise -1
     * @param immediate the immediate data of a receive that has any
     * @param invalidated the key that a receive reports as invalidated
     * @param sourceQp the sender of a received datagram; for other receives the provider's value, otherwise 0
     */
    public record Success(
            WorkCompletionOpcode opcode,
            long byteLength,
            Optional<Integer> immediate,
            Optional<Integer> invalidated,
            int sourceQp) {}

    static Completion of(WorkCompletion view) {
        return new Completion(
                view.workRequestId(),
                view.status(),
                view.qpNumber(),
                view.isSuccess() ? Optional.of(success(view)) : Optional.empty());
    }

    private static Success success(WorkCompletion view) {
        WorkCompletionOpcode opcode = view.opcode();
        boolean receive = opcode.isReceive();
        boolean hasLength = receive
                || switch (opcode) {
                    case RDMA_READ, COMP_SWAP, FETCH_ADD -> true;
                    default -> false;
                };
        return new Success(
                opcode,
                hasLength ? view.byteLength() : -1,
                receive && view.hasImmediateData() ? Optional.of(view.immediateData()) : Optional.empty(),
                receive && view.hasInvalidatedRkey() ? Optional.of(view.invalidatedRkey()) : Optional.empty(),
                receive ? view.sourceQp() : 0);
    }

    /** {@return what was completed, of a success} */
    public Optional<WorkCompletionOpcode> opcode() {
        return success.map(Success::opcode);
    }

    /** {@return {@link Success#byteLength()}, or -1} */
    public long byteLength() {
        return success.map(Success::byteLength).orElse(-1L);
    }

    /** {@return {@link Success#immediate()}} */
    public Optional<Integer> immediate() {
        return success.flatMap(Success::immediate);
    }

    /** {@return {@link Success#invalidated()}} */
    public Optional<Integer> invalidated() {
        return success.flatMap(Success::invalidated);
    }

    /** {@return {@link Success#sourceQp()}, or 0} */
    public int sourceQp() {
        return success.map(Success::sourceQp).orElse(0);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("request " + id + " of " + qpNumber + " " + status);
        opcode().ifPresent(value -> text.append(' ').append(value));
        if (byteLength() >= 0) {
            text.append(' ').append(byteLength()).append(" bytes");
        }
        immediate().ifPresent(value -> text.append(" immediate ").append(value));
        invalidated().ifPresent(value -> text.append(" invalidated ").append(value));
        return sourceQp() != 0 ? text + " from " + sourceQp() : text.toString();
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
