// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.PathMtu;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProgramShrinkerTest {
    private static final Program PROGRAM = new Program(
            5,
            new Setting(PathMtu.MTU_2048, 158, 7, 7, 2, 7, true, 6, false),
            List.of(new Action.Wait(923), new Action.Wait(515)),
            List.of());

    @Test
    void aFailureThatDoesNotRecurIsThrownWithItsProgram() {
        AtomicInteger runs = new AtomicInteger();
        AssertionError once = new AssertionError("the device did not do what the model says");
        assertThatThrownBy(() -> ProgramShrinker.check(PROGRAM, program -> {
                    if (runs.getAndIncrement() == 0) {
                        throw once;
                    }
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("failed once")
                .hasMessageContaining(PROGRAM.toString())
                .hasCause(once);
    }

    @Test
    void anExceptionIsAFailure() {
        assertThatThrownBy(() -> ProgramShrinker.check(PROGRAM, program -> {
                    throw new IndexOutOfBoundsException("slot -1");
                }))
                .isInstanceOf(AssertionError.class)
                .hasRootCauseMessage("slot -1");
    }

    @Test
    void aFailureThatRecursIsThatOfTheSmallestProgram() {
        assertThatThrownBy(() -> ProgramShrinker.check(PROGRAM, program -> {
                    if (!program.actions().isEmpty()) {
                        throw new AssertionError(program.actions().size() + " actions");
                    }
                }))
                .hasMessage("1 actions");
    }

    @Test
    void aProgramThatDoesNotFailRunsOnce() {
        AtomicInteger runs = new AtomicInteger();
        assertThatCode(() -> ProgramShrinker.check(PROGRAM, _ -> runs.getAndIncrement()))
                .doesNotThrowAnyException();
        assertThat(runs).hasValue(1);
    }
}
