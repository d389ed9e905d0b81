package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.Completion;
import dev.verbena.conformance.Endpoint;
import dev.verbena.conformance.EndpointOptions;
import dev.verbena.conformance.Pair;
import dev.verbena.conformance.Rule;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Area RNR: messages that come before there is a receive for them. */
public interface RnrRules extends RuleSet {
    @Rule(
            id = "RNR-01",
            text =
                    "Messages that come before their receives are delivered, whole and in order, once receives are posted.",
            source = "ibv_modify_qp(3), rnr_retry; IBTA volume 1, 9.7.5.2.8",
            lookAt = {
                "where the requester goes back to after an RNR NAK, with several messages behind it",
                "the RNR timer: who sets it, who clears it",
                "what the responder does with packets behind the one that it refused"
            })
    @Property
    default void aLateReceiveGetsTheMessage(@ForAll @IntRange(min = 1, max = 8) int messages) throws VerbsException {
        int size = 300;
        try (Pair pair = Pair.connected(openRig())) {
            Endpoint responder = pair.responder();
            byte[] expected = responder.contents();
            for (int i = 0; i < messages; i++) {
                byte[] message = pair.requester().write((long) i * size, size, i);
                System.arraycopy(message, 0, expected, Endpoint.GUARD + i * size, size);
                pair.requester().postSend(i, true, (long) i * size, size);
            }
            pair.requester().assertQuiet();
            for (int i = 0; i < messages; i++) {
                responder.postReceive(100 + i, (long) i * size, size);
                assertEquals(List.of(100L + i), Completion.ids(responder.awaitReceives(1)));
                assertEquals(List.of((long) i), Completion.ids(pair.requester().awaitSends(1)));
            }
            responder.assertHolds(expected);
            pair.requester().assertQuiet();
            responder.assertQuiet();
        }
    }

    @Rule(
            id = "RNR-02",
            text =
                    "When no receive is posted within the retries allowed, the send completes with RNR_RETRY_EXC_ERR, the"
                            + " queue pair is in ERR, and what was posted behind it is flushed.",
            source = "ibv_modify_qp(3), rnr_retry; ibv_poll_cq(3); IBTA volume 1, 9.7.5.2.8",
            lookAt = {
                "the RNR budget: 0 means not once more, 7 means for ever, and it is not the transport's retry budget",
                "the state change when the budget is used up"
            })
    @Property
    default void withoutAReceiveTheRetriesAreUsedUp(
            @ForAll @IntRange(max = 3) int retries, @ForAll @IntRange(max = 3) int behind) throws VerbsException {
        try (Pair pair = Pair.connected(
                openRig(), EndpointOptions.usual(), settings -> settings.rnrRetryCount(RnrRetryCount.of(retries)))) {
            for (int i = 0; i <= behind; i++) {
                pair.requester().postSend(i, i == 0, 0, 8);
            }
            WorkCompletionStatus[] expected = new WorkCompletionStatus[behind + 1];
            Arrays.fill(expected, WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR);
            expected[0] = WorkCompletionStatus.RNR_RETRY_EXCEEDED_ERROR;
            assertEquals(List.of(expected), Completion.statuses(pair.requester().awaitSends(behind + 1)));
            assertEquals(QpState.ERR, pair.requester().queuePair().state());
            pair.requester().assertQuiet();
            pair.responder().assertQuiet();
        }
    }
}
