// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArmedQueueTest {
    private final CompletionQueue queue = mock(CompletionQueue.class);
    private final WorkCompletions batch = mock(WorkCompletions.class);
    private final WorkCompletion completion = mock(WorkCompletion.class);

    @BeforeEach
    void polledBatch() {
        when(queue.newCompletions(anyInt())).thenReturn(batch);
        when(batch.get(anyInt())).thenReturn(completion);
        when(batch.count()).thenReturn(0);
        when(queue.poll(any())).thenAnswer(call -> completions(2)).thenAnswer(call -> completions(0));
    }

    private int completions(int count) {
        when(batch.count()).thenReturn(count);
        return count;
    }

    @Test
    void eachCompletionIsTakenOnce() {
        ArmedQueue armed = new ArmedQueue(queue);
        assertThat(armed.next()).isSameAs(completion);
        assertThat(armed.hasNext()).isTrue();
        assertThat(armed.next()).isSameAs(completion);
        assertThat(armed.hasNext()).isFalse();
        assertThat(armed.next()).isNull();
    }

    @Test
    void aQueueThatBreaksGivesNothingTwice() {
        ArmedQueue armed = new ArmedQueue(queue);
        armed.next();
        armed.next();
        IllegalStateException overrun = new IllegalStateException("overrun");
        when(queue.poll(any())).thenThrow(overrun);
        assertThatIllegalStateException().isThrownBy(armed::hasNext).isSameAs(overrun);
        assertThatIllegalStateException().isThrownBy(armed::next).isSameAs(overrun);
        doThrow(overrun).when(queue).requestNotification(any());
        assertThatIllegalStateException().isThrownBy(armed::hasNext).isSameAs(overrun);
        assertThatIllegalStateException().isThrownBy(armed::next).isSameAs(overrun);
    }
}
