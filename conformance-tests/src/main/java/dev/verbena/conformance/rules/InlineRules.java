// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertRefusedAt;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Region;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;

/** The rules of rule area POST about inline data. */
public interface InlineRules extends RuleSet {
    @Rule(
            id = "POST-05",
            text = "The post copies inline data. If the program overwrites the buffer after the post, the message still"
                    + " contains the copied bytes.",
            source = "ibv_post_send(3) (IBV_SEND_INLINE)",
            needs = {Capability.RC, Capability.INLINE_DATA},
            lookAt = {"whether the post copies inline data", "whether a retransmission sends the copied bytes"})
    default void inlineDataIsCopiedAtPost(@IntRange(min = 1, max = 32) int length) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(withInline(32));
            End requester = ends.requester();
            byte[] message = requester.memory().fill(0, length, 1);
            byte[] expected = Memory.patched(ends.responder().memory().contents(), 100, message);
            // The rule overwrites the buffer of its inline SEND before the peer posts a receive. Without a posted
            // receive, each transmission of the SEND fails.
            requester.send(Send.send(1).from(requester.sge(0, length)).inline());
            requester.memory().fill(0, length, 2);
            ends.responder().receive(2, 100, length);
            requester.sends().awaitIds(1L);
            ends.responder().receives().awaitIds(2L);
            ends.responder().memory().assertHolds(expected);
        }
    }

    private static Shape withInline(int bytes) {
        return Shape.usual().withCapabilities(Shape.usual().capabilities().withMaxInlineData(bytes));
    }

    @Rule(
            id = "POST-06",
            text = "A request with more inline data than was granted to the queue pair is refused with EINVAL.",
            source = "ibv_post_send(3) and ibv_create_qp(3) (max_inline_data)",
            needs = {Capability.RC, Capability.INLINE_DATA},
            lookAt = {"the sum of the lengths of all scatter-gather entries in an inline request"})
    default void excessInlineDataIsRefused(@IntRange(max = 64) int asked) {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(withInline(asked));
            End requester = ends.requester();
            int most = requester.qp().capabilities().maxInlineData();
            ends.responder().receive(1, 0, Math.max(1, most));
            requester.send(Send.send(1).from(requester.sge(0, most)).inline());
            requester.sends().awaitIds(1L);
            Send tooLong = Send.send(2).from(requester.sge(0, most + 1)).inline();
            assertRefusedAt(0, Errno.EINVAL, requester.qp().post(tooLong));
            requester.qp().assertQuiet();
        }
    }

    @Rule(
            id = "POST-07",
            text = "A memory region may be closed after inline data from it is posted, and the message still arrives.",
            source = "ibv_post_send(3) (IBV_SEND_INLINE)",
            needs = {Capability.RC, Capability.INLINE_DATA},
            lookAt = {"whether the device still uses the lkey of an inline request after the post"})
    default void theRegionOfInlineDataCanBeClosedAfterThePost() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(withInline(16));
            End requester = ends.requester();
            Region other = requester.pd().register(requester.memory());
            requester.send(Send.send(1).from(other.sge(0, 16)).inline());
            other.close();
            ends.responder().receive(2, 0, 16);
            requester.sends().awaitIds(1L);
            ends.responder().receives().awaitIds(2L);
        }
    }

    @Rule(
            id = "POST-08",
            text = "A request with the flag INLINE is refused with EINVAL if its operation has no payload.",
            source = "ibv_post_send(3) (IBV_SEND_INLINE)",
            needs = {Capability.RC, Capability.INLINE_DATA, Capability.RDMA_READ},
            lookAt = {"the check of the flags that each operation allows"})
    default void inlineIsRefusedWithoutPayload() {
        try (Pair pair = pair()) {
            Pair.Ends ends = pair.connected(withInline(16));
            End requester = ends.requester();
            Send read = Send.read(1, ends.responder().at(0)).from(requester.sge(0, 8));
            assertRefusedAt(0, Errno.EINVAL, requester.qp().post(read.inline()));
            ends.assertAlive(2);
        }
    }
}
