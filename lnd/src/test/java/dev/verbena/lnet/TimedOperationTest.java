// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Timed operations whose start throws: either the start throws, or the operation ends, and never both. */
class TimedOperationTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final CoreNode.Network network = new CoreNode.Network();
    private final CoreNode a = network.join("10.0.0.1@o2ib");
    private final CoreNode b = network.join("10.0.0.2@o2ib");
    private final List<TimedOperation.Result> results = new ArrayList<>();

    @AfterEach
    void nothingIsLeft() {
        assertThat(a.descriptors()).isZero();
        network.runtime().close();
    }

    private void start(Consumer<MemoryDescriptor> begin) {
        TimedOperation.start(
                a,
                MemoryDescriptor.over(MemorySegment.ofArray(new byte[8])).threshold(1),
                TIMEOUT,
                begin,
                results::add);
    }

    private void pass() throws InterruptedException {
        network.runtime().await(() -> false, TIMEOUT.plusSeconds(1));
    }

    @Test
    void aStartThatThrowsEarlyStartsNoOperation() throws InterruptedException {
        assertThatThrownBy(() -> start(md -> {
                    throw new IllegalStateException("a fault");
                }))
                .hasMessage("a fault");
        pass();

        assertThat(results).isEmpty();
    }

    @Test
    void aStartThatThrowsWhenTheDescriptorIsInUseEndsTheOperationAndReportsTheFault() throws InterruptedException {
        assertThatCode(() -> start(md -> {
                    a.put(md, false, b.id(), 1, 1, 0, 0);
                    throw new IllegalStateException("a fault");
                }))
                .doesNotThrowAnyException();
        assertThatThrownBy(this::pass).hasMessage("a fault");
        pass();

        assertThat(results).hasSize(1);
    }
}
