// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanupTest {
    private final List<String> taken = new ArrayList<>();

    @Test
    void everyStepRunsEvenIfAnotherOneThrows() {
        Cleanup cleanup = new Cleanup(null);
        cleanup.step(() -> {
            throw new IllegalStateException("first");
        });
        cleanup.step(() -> {
            throw new VerbsException(Errno.EBUSY, "ibv_dealloc_pd", "second");
        });
        cleanup.step(() -> taken.add("third"));
        assertThat(taken).containsExactly("third");
        assertThatIllegalStateException()
                .isThrownBy(cleanup::end)
                .withMessage("first")
                .satisfies(first -> assertThat(first.getSuppressed()).hasSize(1));
    }

    @Test
    void theCauseOfTheClosingGetsTheExceptionsOfTheSteps() throws VerbsException {
        Throwable cause = new Throwable("the cause");
        Cleanup cleanup = new Cleanup(cause);
        cleanup.step(() -> {
            throw new IllegalStateException("a step");
        });
        cleanup.end();
        assertThat(cause.getSuppressed()).hasSize(1);
    }
}
