// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.isA;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Duration passed = Duration.ZERO;

    /** A queue pair whose device moves it to ERR after this time. */
    private Qp failingAfter(Duration time) {
        LocalEndpoint endpoint = mock(LocalEndpoint.class);
        when(endpoint.perform(any())).thenReturn(new Reply.Described(mock(Facts.class)));
        when(endpoint.perform(isA(Step.Pass.class))).thenAnswer(call -> {
            passed = passed.plus(call.<Step.Pass>getArgument(0).patience());
            return new Reply.Done();
        });
        when(endpoint.perform(isA(Step.AskState.class)))
                .thenAnswer(call -> new Reply.State(passed.compareTo(time) >= 0 ? QpState.ERR : QpState.RTS));
        Side side = new Side(endpoint, new Side.Waiting(PATIENCE, Duration.ofMillis(20)));
        Reply.QpFacts facts = new Reply.QpFacts(17, QpCapabilities.of(1, 1));
        return new Qp(side, 0, QpType.RC, mock(Cq.class), mock(Cq.class), facts);
    }

    @Test
    void aDeviceMayChangeTheStateAfterTheCompletion() {
        failingAfter(Duration.ofMillis(300)).assertState(QpState.ERR);

        assertThat(passed).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void aStateThatDoesNotComeFails() {
        Qp never = failingAfter(PATIENCE.multipliedBy(2));

        assertThatThrownBy(() -> never.assertState(QpState.ERR)).hasMessageContaining("expected: <ERR> but was: <RTS>");
        assertThat(passed).isEqualTo(PATIENCE);
    }
}
