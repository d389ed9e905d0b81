// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.WorkCompletionOpcode;
import java.util.Optional;

/** The rules of rule area COMP about the fields of a work completion. */
public interface CompletionFieldRules extends RuleSet {
    @Rule(
            id = "COMP-15",
            text = "All 32 bits of immediate data arrive in the completion of the receive. The completion of a message"
                    + " without immediate data reports that no immediate data is present.",
            source = "ibv_post_send(3) (imm_data); ibv_poll_cq(3) (IBV_WC_WITH_IMM)",
            needs = {Capability.RC, Capability.IMMEDIATE_DATA},
            lookAt = {"the byte order of immediate data", "the flag IBV_WC_WITH_IMM of the completion"})
    default void immediateDataArrives(int data, @IntRange(max = 2500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            ends.responder().receive(1, 0, 3000);
            ends.responder().receive(2, 0, 3000);
            requester.send(Send.sendWithImmediate(1, data).from(requester.sge(0, length)));
            requester.send(2, 0, length);
            Completion with = ends.responder().receives().await(1).getFirst();
            Completion without = ends.responder().receives().await(1).getFirst();
            assertEquals(Optional.of(data), with.immediate(), "immediate data in the completion");
            assertEquals(length, with.byteLength(), "length in the completion");
            assertEquals(Optional.empty(), without.immediate(), "immediate data in the completion");
        }
    }

    @Rule(
            id = "COMP-16",
            text = "If an RDMA WRITE with immediate data consumes a receive, the receive completes with the opcode"
                    + " RECV_RDMA_WITH_IMM and with the immediate data.",
            source = "ibv_poll_cq(3) (IBV_WC_RECV_RDMA_WITH_IMM)",
            needs = {Capability.RC, Capability.IMMEDIATE_DATA},
            lookAt = {"the opcode in the completion of the receive"})
    default void aWriteWithImmediateCompletesAReceiveWithItsOpcode(int data) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            ends.responder().receive(1, 0, 0);
            requester.send(
                    Send.writeWithImmediate(2, ends.responder().at(0), data).from(requester.sge(0, 8)));
            Completion received = ends.responder().receives().await(1).getFirst();
            assertEquals(
                    Optional.of(WorkCompletionOpcode.RECV_RDMA_WITH_IMM),
                    received.opcode(),
                    "opcode of the completion");
            assertEquals(Optional.of(data), received.immediate(), "immediate data in the completion");
            requester.sends().awaitIds(2L);
        }
    }

    @Rule(
            id = "COMP-17",
            text = "The completion of a READ reports the number of bytes read.",
            source = "ibv_poll_cq(3) (byte_len); IBTA volume 1, section 11.4.2.1",
            needs = {Capability.RC, Capability.RDMA_READ},
            lookAt = {"the length in the completion of a READ"})
    default void aReadCompletionReportsTheLength(@IntRange(max = 3500) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected();
            End requester = ends.requester();
            requester.send(Send.read(1, ends.responder().at(0)).from(requester.sge(0, length)));
            assertEquals(length, requester.sends().await(1).getFirst().byteLength(), "length in the completion");
        }
    }
}
