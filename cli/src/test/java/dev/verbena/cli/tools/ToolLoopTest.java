// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.runtime.VirtualRuntime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToolLoopTest {
    /** The wait has no time limit, so a tool that does not end would wait without end. */
    @Test
    void aFaultOfAStepEndsTheToolAndDelaysNoOtherStep() {
        try (VirtualRuntime runtime = new VirtualRuntime(1);
                ToolLoop loop = new ToolLoop(runtime)) {
            List<Integer> run = new ArrayList<>();
            loop.submit(() -> {
                throw new IllegalArgumentException("a fault");
            });
            loop.submit(() -> run.add(2));
            assertThatThrownBy(() -> loop.awaitEnd(null))
                    .isInstanceOf(IllegalStateException.class)
                    .hasRootCauseMessage("a fault");
            assertThat(run).containsExactly(2);
        }
    }
}
