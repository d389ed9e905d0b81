// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.Optional;

/**
 * A copy of a work completion, with only the fields that are defined for its status.
 *
 * @param success the fields that are defined only for a successful completion
 */
public record Completion(long id, WorkCompletionStatus status, int qpNumber, Optional<Success> success) {
    /**
     * The fields that are defined only for a successful work completion.
     *
     * @param byteLength the number of bytes that a receive, READ or atomic transferred; otherwise -1
     * @param invalidated the key that the peer's SEND with Invalidate invalidated
     * @param sourceQp the QP number of a datagram's sender; for RC and UC, the {@code src_qp} that the provider returned
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

    public Optional<WorkCompletionOpcode> opcode() {
        return success.map(Success::opcode);
    }

    public long byteLength() {
        return success.map(Success::byteLength).orElse(-1L);
    }

    public Optional<Integer> immediate() {
        return success.flatMap(Success::immediate);
    }

    public Optional<Integer> invalidated() {
        return success.flatMap(Success::invalidated);
    }

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

    public static List<Long> ids(List<Completion> completions) {
        return completions.stream().map(Completion::id).toList();
    }

    public static List<WorkCompletionStatus> statuses(List<Completion> completions) {
        return completions.stream().map(Completion::status).toList();
    }
}
