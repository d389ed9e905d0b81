// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.rules.Needs;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules over software devices in two processes, connected by sockets of this machine. */
@Tag("udp")
class TwoSidesTest {
    private static final int TRIES = Integer.getInteger("verbena.two.sides.tries", 4);
    private static final String WAITS = "device sim1 waits at ";

    @TempDir
    private Path directory;

    private static Cli run(String waits, String arguments) {
        assertThat(waits).startsWith(WAITS);
        String peer = waits.substring(WAITS.length(), waits.indexOf(';'));
        return Cli.run(("conformance --seed 7 --peer " + peer + " " + arguments).split(" "));
    }

    @Test
    void oneFarSideServesSeveralRunsOnPortsOfTheirOwn() throws Exception {
        try (VerbenaProcess far = VerbenaProcess.start(directory, "conformance --listen 0")) {
            String waits = far.line();
            for (String rules : new String[] {"MTU-01,MEM-01,UC-03,UD-01", "RNR,WIRE-10,CM-01,CM-13,CM-20"}) {
                Cli near = run(waits, "--tries 2 --rules " + rules);
                assertThat(near.err()).isEmpty();
                assertThat(near.code()).as(near.out()).isZero();
                assertThat(near.out()).endsWith("every rule that ran is kept, seed 7\n");
            }
            assertThat(far.errors()).isEmpty();
        }
    }

    /** Prints its size; {@code -Dverbena.two.sides.tries} changes it. */
    @Test
    @Tag("sweep")
    void everyRuleInWallTimeIsKeptInTwoProcesses() throws Exception {
        System.out.println("tries of each rule: " + TRIES);
        try (VerbenaProcess far = VerbenaProcess.start(directory, "conformance --listen 0")) {
            Cli near = run(far.line(), "--tries " + TRIES);
            System.out.println(near.out());
            assertThat(near.code()).as(near.out()).isZero();
            assertThat(near.out().lines().filter(line -> line.startsWith("skipped: ")))
                    .containsExactly(
                            "skipped: needs " + Needs.VIRTUAL_TIME.description(),
                            "skipped: needs on-demand regions of the whole address space (IMPLICIT_ON_DEMAND_PAGING)");
        }
    }
}
