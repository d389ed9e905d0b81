// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
    /** The largest payload of one IMMEDIATE message of o2iblnd. */
    private static final int IMMEDIATE = 3976;

    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 1, IMMEDIATE, IMMEDIATE + 1, 4096, 65_537, MIB - 1, MIB, MIB + 1})
    void carriesAFileOfAnySizeWithAndWithoutLoss(int size) throws Exception {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        String file = Files.write(directory.resolve("file"), content).toString();
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));

        Cli clean = Cli.run("demo", file, "--seed", "1").succeeded();
        assertThat(clean.value("SHA-256 of the source")).isEqualTo(digest);
        assertThat(clean.sum("retransmitted_pkts")).isZero();
        assertThat(clean.sum("IMMEDIATE")).isPositive();
        int byRdma = size / MIB + (size % MIB > IMMEDIATE ? 1 : 0);
        assertThat(clean.sum("PUT_DONE")).isEqualTo(byRdma);
        assertThat(clean.sum("GET_DONE")).isEqualTo(clean.sum("PUT_DONE"));

        Cli lossy = Cli.run("demo", file, "--seed", "1", "--loss", "5%").succeeded();
        assertThat(lossy.value("SHA-256 of the source")).isEqualTo(digest);
    }

    @Test
    void smallMessagesCarryAsMuchAsLargeOnes() {
        Cli run = Cli.run("demo", "--seed", "1", "--size", "100001", "--message-size", "1000")
                .succeeded();
        assertThat(run.sum("IMMEDIATE")).isEqualTo(4 * 101);
        assertThat(run.sum("PUT_REQ")).isZero();
    }

    @Test
    void everyKindOfFaultIsCured() {
        Cli run = Cli.run(
                        "demo",
                        "--seed",
                        "3",
                        "--size",
                        "1M",
                        "--loss",
                        "2%",
                        "--duplicate",
                        "0.02",
                        "--reorder",
                        "2%",
                        "--corrupt",
                        "1%")
                .succeeded();
        assertThat(run.sum("retransmitted_pkts")).isPositive();
        assertThat(List.of(run.sum("DROP"), run.sum("DUPLICATE"), run.sum("DELAY"), run.sum("CORRUPT")))
                .allSatisfy(count -> assertThat(count).isPositive());
        assertThat(run.sum("dropped_icrc")).isPositive();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"--loss 0", "--loss 5%"})
    void aSeedRepeatsARunToTheLastPacketAndAnotherDoesNot(String faults) {
        List<String> outcomes = new ArrayList<>();
        for (String seed : List.of("7", "7", "8")) {
            Cli run = Cli.run(("demo --size 1M --seed " + seed + " " + faults).split(" "))
                    .succeeded();
            assertThat(run.value("seed")).isEqualTo(seed);
            outcomes.add(run.value("virtual seconds") + " " + run.value("trace hash"));
        }
        assertThat(outcomes.get(1)).isEqualTo(outcomes.get(0));
        assertThat(outcomes.get(2)).isNotEqualTo(outcomes.get(0));
    }

    @Test
    void aRunOfThreadsCarriesTheSameData() {
        Cli threads = Cli.run("demo", "--size", "5M").succeeded();
        Cli virtual = Cli.run("demo", "--size", "5M", "--seed", "1").succeeded();
        assertThat(threads.value("SHA-256 of the source")).isEqualTo(virtual.value("SHA-256 of the source"));
        assertThat(threads.out()).doesNotContain("trace hash", "virtual");
        assertThat(threads.sum("RDMA writes")).isEqualTo(virtual.sum("RDMA writes"));
    }

    @Test
    void aFileMayHaveANameThatLooksLikeAnArgumentFile() throws IOException {
        Path file = Files.writeString(directory.resolve("@list"), "not a list of arguments");
        Cli.run("demo", file.toString(), "--seed", "1").succeeded();
    }
}
