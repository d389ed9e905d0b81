// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

import org.junit.jupiter.api.Test;

class InitAttributesTest {
    @Test
    void theUsualCasesSetNothingElse() {
        CompletionQueue cq = mock(CompletionQueue.class);
        QpCapabilities capabilities = QpCapabilities.of(8, 4);
        QpInitAttributes qp = QpInitAttributes.rc(cq, capabilities);
        assertThat(qp.type()).isEqualTo(QpType.RC);
        assertThat(qp.sendCq()).isSameAs(cq);
        assertThat(qp.receiveCq()).isSameAs(cq);
        assertThat(qp.capabilities()).isEqualTo(capabilities);
        assertThat(qp.srq()).isNull();
        assertThat(qp.signalAll()).isFalse();
        assertThat(qp.context()).isNull();
        assertThat(qp.eventHandler()).isNull();
        assertThat(qp.toBuilder().build()).isEqualTo(qp).hasSameHashCodeAs(qp).hasToString(qp.toString());
        assertThat(qp.toBuilder().signalAll(true).build()).isNotEqualTo(qp);
        assertThat(CqInitAttributes.ofCapacity(16))
                .isEqualTo(CqInitAttributes.builder().capacity(16).build());
    }

    @Test
    void creationRefusesMissingAndContradictoryAttributes() {
        CompletionQueue cq = mock(CompletionQueue.class);
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        QpInitAttributes.builder().type(QpType.RC).sendCq(cq).build())
                .withMessageContaining("receiveCq");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CqInitAttributes.builder().build())
                .withMessageContaining("capacity is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CqInitAttributes.builder()
                        .capacity(1)
                        .channel(mock(CompletionChannel.class))
                        .handler(queue -> {})
                        .build())
                .withMessageContaining("channel and handler");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SrqInitAttributes.builder().maxWr(4).limit(5).build())
                .withMessageContaining("limit is 5");
        assertThat(SrqInitAttributes.builder().maxWr(4).limit(2).build().attributes())
                .isEqualTo(new SrqAttributes(4, 1, 2));
    }
}
