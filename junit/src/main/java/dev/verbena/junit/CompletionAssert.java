// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static dev.verbena.junit.VerbsAssertions.expect;

import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;

/** Assertions about a completion. */
public final class CompletionAssert {
    private final WorkCompletion completion;

    CompletionAssert(WorkCompletion completion) {
        this.completion = completion;
    }

    /**
     * Asserts that the work request succeeded. If the work request failed, the assertion error contains the diagnosis by
     * {@link WorkCompletion#explain()}.
     *
     * @return this object, for further assertions
     */
    public CompletionAssert isSuccess() {
        expect(completion.isSuccess(), "a completion with SUCCESS", completion.explain());
        return this;
    }

    /**
     * Asserts the status.
     *
     * @param status the expected status
     * @return this object, for further assertions
     */
    public CompletionAssert hasStatus(WorkCompletionStatus status) {
        expect(completion.status() == status, "a completion with " + status, completion.explain());
        return this;
    }

    /**
     * Asserts the opcode.
     *
     * @param opcode the expected opcode
     * @return this object, for further assertions
     */
    public CompletionAssert hasOpcode(WorkCompletionOpcode opcode) {
        expect(completion.opcode() == opcode, "the opcode " + opcode, completion.opcode());
        return this;
    }

    /**
     * Asserts the work request id.
     *
     * @param id the expected id
     * @return this object, for further assertions
     */
    public CompletionAssert hasId(long id) {
        expect(completion.workRequestId() == id, "the work request id " + id, completion.workRequestId());
        return this;
    }

    /**
     * Asserts the number of bytes that were transferred.
     *
     * @param length the expected number
     * @return this object, for further assertions
     */
    public CompletionAssert hasByteLength(long length) {
        expect(completion.byteLength() == length, length + " bytes", completion.byteLength());
        return this;
    }

    /**
     * Asserts the immediate data.
     *
     * @param data the expected data
     * @return this object, for further assertions
     */
    public CompletionAssert hasImmediateData(int data) {
        expect(completion.hasImmediateData(), "immediate data", "a completion without");
        expect(completion.immediateData() == data, "the immediate data " + data, completion.immediateData());
        return this;
    }
}
