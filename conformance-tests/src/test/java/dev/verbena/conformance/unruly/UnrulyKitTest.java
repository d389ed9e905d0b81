// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The kit over the provider {@code ibverbs} and the library of {@code src/test/c/unruly}. The rules that need observed or
 * dropped packets, virtual time, or a capability that the personality lacks are skipped.
 */
class UnrulyKitTest {
    private static final int SECONDS = 300;
    private static final String SEED = "1";
    /** The IP address of the port, for personalities whose GIDs do not contain it. */
    private static final String ADDRESS = "192.0.2.1";

    private static final Pattern KEPT = Pattern.compile("(\\d+) rules kept");

    @TempDir
    private Path directory;

    @Test
    void theKitRunsOverThePlainPersonality() throws IOException, InterruptedException {
        run("plain", 190, 3, "");
    }

    @Test
    void theKitRunsOverIwarp() throws IOException, InterruptedException {
        run("iwarp", 65, 1, ADDRESS);
    }

    @Test
    void theKitRunsOverInfiniband() throws IOException, InterruptedException {
        run("infiniband", 190, 1, ADDRESS);
    }

    @ParameterizedTest
    @CsvSource({
        "mlx, 190, ''",
        "keys, 190, ''",
        "efa, 15, ''",
        "slow, 190, ''",
        "inline, 190, ''",
        "bursts, 190, ''",
        "pages, 190, ''",
        "iwarp, 65, " + ADDRESS,
        "infiniband, 190, " + ADDRESS
    })
    @Tag("sweep")
    void theKitRunsOverTheOtherPersonalities(String personality, int least, String address)
            throws IOException, InterruptedException {
        run(personality, least, 2, address);
    }

    @Test
    void theKitFindsFaultsOfTheDevice() throws IOException, InterruptedException {
        UnrulyLibrary.Run run = UnrulyLibrary.compiled(directory).run(SECONDS, FaultProgram.class);
        assertThat(run.exitCode()).as(run.output()).isZero();
    }

    @Test
    void aBlockedCallDelaysNoOtherDevice() throws IOException, InterruptedException {
        UnrulyLibrary.Run run = UnrulyLibrary.compiled(directory).run(SECONDS, BlockedCallProgram.class);
        assertThat(run.exitCode()).as(run.output()).isZero();
    }

    private void run(String personality, int least, int tries, String address)
            throws IOException, InterruptedException {
        UnrulyLibrary library = UnrulyLibrary.compiled(directory).withPersonality(personality);
        String divergences = UnrulyLibrary.source(personality + ".divergences").toString();
        String patience = address.isEmpty() ? "3000" : "1000";
        UnrulyLibrary.Run run =
                library.run(SECONDS, KitProgram.class, divergences, SEED, Integer.toString(tries), patience, address);
        assertThat(run.exitCode()).as(run.output()).isZero();
        Matcher kept = KEPT.matcher(run.output());
        assertThat(kept.find()).isTrue();
        assertThat(Integer.parseInt(kept.group(1))).as("kept rules").isGreaterThanOrEqualTo(least);
    }
}
