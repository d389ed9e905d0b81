// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final StringWriter terminal = new StringWriter();
    private Instant now = Instant.EPOCH;

    private ProgressBar bar(boolean enabled) {
        return new ProgressBar(new PrintWriter(terminal), enabled, () -> now);
    }

    @Test
    void writesOneLineAgainAndAgainAndRemovesIt() {
        ProgressBar bar = bar(true);
        bar.show("PUT", 0, 100);
        now = now.plus(Duration.ofSeconds(1));
        bar.show("PUT", 50, 100);
        bar.clear();
        String erase = "\r\u001b[K";
        assertThat(terminal)
                .hasToString(erase + "PUT [" + ".".repeat(40) + "]   0%" + erase + "PUT [" + "#".repeat(20)
                        + ".".repeat(20) + "]  50%" + erase);
    }

    @Test
    void doesNotWriteMoreOftenThanAnEyeSees() {
        ProgressBar bar = bar(true);
        for (int done = 0; done < 1000; done++) {
            bar.show("GET", done, 1000);
            now = now.plus(Duration.ofMillis(1));
        }
        assertThat(terminal.toString().split("GET", -1)).hasSize(10 + 1);
    }

    @Test
    void nothingAtAllIsComplete() {
        bar(true).show("PUT", 0, 0);
        assertThat(terminal.toString()).contains("100%");
    }

    @Test
    void writesNothingWhereThereIsNoTerminal() {
        ProgressBar bar = bar(false);
        bar.show("PUT", 1, 2);
        bar.clear();
        assertThat(terminal.toString()).isEmpty();
    }
}
