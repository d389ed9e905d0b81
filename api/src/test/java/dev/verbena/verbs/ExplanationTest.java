// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the explanations of providers that know only the status, and the text of explanations. */
class ExplanationTest {
    private static WorkCompletion completion(WorkCompletionStatus status) {
        WorkCompletion completion = mock(WorkCompletion.class, CALLS_REAL_METHODS);
        doReturn(status).when(completion).status();
        doReturn(7L).when(completion).workRequestId();
        doReturn(17).when(completion).qpNumber();
        doReturn(129).when(completion).vendorError();
        return completion;
    }

    @ParameterizedTest
    @EnumSource(WorkCompletionStatus.class)
    void everyStatusIsExplainedWithoutAProvider(WorkCompletionStatus status) {
        Explanation explanation = completion(status).explain();
        assertThat(explanation.title()).contains(status.name(), status.verbsName(), status.description());
        assertThat(explanation.suspects()).isEqualTo(status.suspects());
        assertThat(explanation.findings()).isEmpty();
        assertThat(explanation.rootCause()).isEmpty();
        assertThat(completion(status).rootCause()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = WorkCompletionStatus.class, names = "SUCCESS", mode = EnumSource.Mode.EXCLUDE)
    void everyFailureHasSuspectsWithCures(WorkCompletionStatus status) {
        assertThat(status.suspects()).isNotEmpty().allSatisfy(suspect -> {
            assertThat(suspect.cause()).isNotBlank();
            assertThat(suspect.cure()).isNotBlank();
        });
    }

    @Test
    void textHasAHeadingForEachPartThatThereIs() {
        Explanation bare = completion(WorkCompletionStatus.GENERAL_ERR).explain();
        assertThat(bare).hasToString("""
                GENERAL_ERR (21, IBV_WC_GENERAL_ERR, general error) of request 7 on QP 17, vendor error 129
                usual suspects:
                  - only the vendor defines the cause; see vendorError() in the vendor's manual""");
        RootCause.Failure failure = new RootCause.Failure(3, WorkCompletionStatus.REM_ACCESS_ERR, true);
        Explanation full = new Explanation(
                "QP 17",
                List.of("state: ERR"),
                Optional.of(new RootCause("the peer refused", Optional.of(failure))),
                List.of(new Finding(Hint.RETRY_COUNT_0, "retry_cnt is 0")),
                List.of());
        assertThat(full).hasToString("""
                QP 17
                facts:
                  - state: ERR
                first cause:
                  - receive 3 failed with REM_ACCESS_ERR: the peer refused
                found:
                  - retry_cnt is 0; with retry_cnt 0, a single lost packet ends the connection; raise retry_cnt (usually 7)""");
        assertThat(full.has(Hint.RETRY_COUNT_0)).isTrue();
        assertThat(full.has(Hint.CQ_OVERRUN)).isFalse();
    }

    @Test
    void anExplanationKeepsItsOwnLists() {
        List<String> facts = new ArrayList<>(List.of("one"));
        Explanation explanation = new Explanation("title", facts, Optional.empty(), List.of(), List.of());
        facts.add("two");
        assertThat(explanation.facts()).containsExactly("one");
    }

    @Test
    void aQueuePairIsExplainedWithoutAProvider() {
        QueuePair queuePair = mock(QueuePair.class, CALLS_REAL_METHODS);
        doReturn(17).when(queuePair).number();
        doReturn(QpType.RC).when(queuePair).type();
        doReturn(QpState.RTS).when(queuePair).state();
        doReturn(QpCapabilities.of(8, 8)).when(queuePair).capabilities();
        assertThat(queuePair.explain().title()).isEqualTo("QP 17 (RC, RTS)");
        assertThat(queuePair.explain().facts()).hasSize(1);
    }
}
