// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Random calls on a software device, from the command line. */
class LifecyclesTest {
    @Test
    void noOrderOfCallsDoesHarm() {
        Cli run = Cli.run("lifecycles", "--seconds", "2", "--threads", "3", "--seed", "7");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).matches("(?s)\\d+ calls by 3 threads in 2 s, \\d+ refused, 0 wrong, seed 7\\s*");
        assertThat(run.code()).isZero();
    }

    @Test
    void withoutTimeThereIsNothingToDo() {
        Cli.run("lifecycles", "--seconds", "0").failed(2, "--seconds 0 is not in 1..");
        Cli.run("lifecycles", "--threads", "-1").failed(2, "--threads -1 is not in 1..1000");
        Cli.run("lifecycles", "--threads", "2147483647").failed(2, "--threads 2147483647 is not in 1..1000");
        Cli.run("lifecycles", "--threads", "0x10").failed(2, "'0x10'");
        Cli.run("lifecycles", "-d", "").failed(1, "IB device '' not found; there are sim0, sim1");
    }
}
