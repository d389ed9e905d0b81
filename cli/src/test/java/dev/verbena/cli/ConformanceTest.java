// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.conformance.SimKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConformanceTest {
    @TempDir
    private Path directory;

    private static Cli run(String arguments) {
        return Cli.run(("conformance " + arguments).split(" "));
    }

    @Test
    void tellsWhatWasKeptByArea() {
        Cli run = run("--rules rnr,MEM-01 --seed 7 --tries 2");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsPattern("RNR +8 +8 +0 +0 +0 +0\n")
                .containsPattern("MEM +\\d+ +1 +0 +0 +0 +\\d+\n")
                .containsPattern("UD +(\\d+) +0 +0 +0 +0 +\\1\n")
                .endsWith("every rule that ran is kept, seed 7\n");
    }

    @Test
    void listsTheSelectedRulesWithoutTestingDevices() {
        Cli run = run("--list --rules ATOMIC-07,PLACE");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith(
                        "ATOMIC-07 An atomic whose local buffer is not 8 bytes long is refused with EINVAL.\nPLACE-01 ")
                .doesNotContain("ATOMIC-08", "seed");
    }

    @Test
    void writesAReport() throws IOException {
        Path report = directory.resolve("deep/report");
        Cli run = run("--rules MTU-01 --device soft-roce --seed 7 --tries 2 --report " + report);
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("report: " + report.resolve("index.html"));
        assertThat(report.resolve("index.html")).content().contains("sim, soft-roce, in virtual time");
        assertThat(report.resolve("rules/MTU-01.html"))
                .content()
                .contains("verbena conformance --provider sim --device soft-roce --seed 7 --tries 2 --rules MTU-01");
        assertThat(report.resolve("rules/MTU-02.html")).content().contains(">not run<");
        assertThat(report.resolve("TEST-conformance.xml")).exists();
        assertThat(run("--rules MTU-01 --device soft-roce --seed 7 --tries 2 --report " + report)
                        .code())
                .as("once more, into the same directory")
                .isZero();
    }

    @Test
    void aFailureRepeatsItselfWhenItsRuleRunsAloneFromTheSameSeed() throws IOException {
        // This device has no known divergences, so its quirks break rules.
        Path none = Files.writeString(directory.resolve("none"), "");
        String arguments = "--device soft-roce --seed 7 --tries 30 --patience 11 --divergences " + none + " --rules ";
        Cli area = run(arguments + "UC,RETRY-04");
        Cli alone = run(arguments + "UC-03");
        assertThat(area.code()).isEqualTo(1);
        assertThat(alone.code()).isEqualTo(1);
        assertThat(area.out())
                .contains("FAILED RETRY-04: ", "  look at: the timer that starts a retransmission", "2 broken, seed 7");
        String failure = alone.out()
                .substring(alone.out().indexOf("FAILED UC-03: "), alone.out().indexOf("1 broken"));
        assertThat(failure)
                .contains(
                        "  with: lost = [",
                        "verbena conformance --provider sim --device soft-roce --seed 7 --tries 30 --patience 11"
                                + " --divergences " + none + " --rules UC-03");
        assertThat(area.out()).contains(failure);
    }

    @Test
    void knowsTheDivergencesOfSoftRoce() {
        Cli run = run("--device soft-roce --seed 7 --rules UC-03,EVENT-05,OBJ-02");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("diverges: a failed completion does not count as solicited", "  EVENT-05\n")
                .endsWith("every rule that ran is kept, except 2 known divergences, seed 7\n");
    }

    @Test
    void everyDivergenceOfSoftRoceHappensAsItsListStates() {
        Cli run = run("--device soft-roce --seed 7 --rules OBJ-02,"
                + String.join(",", SimKind.SOFT_ROCE.divergences().ids()));
        assertThat(run.out()).containsPattern("all +\\d+ +1 +0 +11 +0 ");
        assertThat(run.code()).isZero();
    }

    @Test
    void aRunInWhichEveryRuleDivergesIsNoSuccess() {
        Cli run = run("--device soft-roce --rules COMP-11 --seed 7");
        assertThat(run.out()).endsWith("no rule was kept: 1 diverge\n");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void aListedRuleThatFailsOtherwiseFailsTheRun() throws IOException {
        Path known = Files.writeString(directory.resolve("known"), "UC-03 | *EIO* | it was so\n");
        Cli run = run("--device soft-roce --seed 7 --rules UC-03,OBJ-02 --divergences " + known);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("FAILED UC-03", "its failure does not match '*EIO*' (it was so)");
    }

    @Test
    void aDivergenceThatIsNoneFailsTheRun() throws IOException {
        Path known =
                Files.writeString(directory.resolve("known"), "# ours\nUC-03 | only * of * requests* | it was so\n");
        Cli run = run("--seed 7 --rules UC-03 --divergences " + known);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("FAILED UC-03", "strike it from the list, which says: 'only * of * requests*' (it was so)");
    }

    @Test
    void aRunOfNothingIsNoSuccess() {
        Cli run = run("--device uc-only --rules RNR --seed 7 --tries 2");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("skipped: needs reliable connected queue pairs (RC)\n  RNR-01 RNR-02")
                .endsWith("no rule ran\n");
    }

    @Test
    void runsWithThreadsAndOverUdp() {
        for (String manner : new String[] {"--threads", "--fabric udp --repeats 2"}) {
            Cli run = run(manner + " --rules MTU-01,THREADS-01,RETRY-02,CM-01 --seed 7 --tries 2");
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).containsPattern("all +\\d+ +4 +0");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void saysThatNobodyListensThere() throws IOException {
        int free;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = taken.getLocalPort();
        }
        run("--peer 127.0.0.1:" + free).failed(1, "no agent at", Integer.toString(free));
    }

    @Test
    void saysWhatTheMachinesOwnStackLacks() {
        run("--provider ibverbs").failed(1, "verbena conformance: ibv_");
    }

    @ParameterizedTest(name = "verbena conformance {0}")
    @CsvSource(delimiter = '|', textBlock = """
                    --provider nobody        | installed are disni, ibverbs, sim
                    --rules MEM-99           | those of MEM are MEM-01 to MEM-
                    --rules NOISE            | the areas are ATOMIC
                    --rules ,                | '' is not a rule
                    --seed seven             | is not a seed
                    --tries 0                | at least 1
                    --tries many             | --tries
                    --repeats -1 --fabric udp | --repeats is at least 0
                    --repeats 1              | in one process no packet is lost
                    --repeats 1 --threads    | in one process no packet is lost
                    --patience 0             | at least 1
                    --device mlx5_0          | specification, soft-roce and uc-only
                    --fabric tcp             | write in-process or udp
                    --provider ibverbs --threads | are for --provider sim
                    --peer 127.0.0.1         | is not HOST:PORT
                    --peer :7471             | is not HOST:PORT
                    --peer 127.0.0.1:0       | no process listens at port 0
                    --peer 127.0.0.1:x       | no port of 0..65535
                    --peer 127.0.0.1:1 --fabric in-process | omit --fabric
                    --listen 70000           | no port of 0..65535
                    --listen 0.0.0.0:7471    | is not a host
                    --listen 0 --seed 1      | with --listen omit
                    --listen 0 --report x    | omit --report with --listen
                    --list --listen 0        | omit --listen and --peer
                    --divergences missing    | 'missing' cannot be read: no such file
                    --loss 5%                | unknown option
                    """)
    void refusesWhatMakesNoSense(String arguments, String hint) {
        run(arguments).failed(2, hint);
    }

    @Test
    void refusesAnEmptyListOfDivergences() throws IOException {
        Path known = Files.writeString(directory.resolve("known"), "MEM-01 | EIO | so it is\nMEM-02\n");
        run("--divergences " + known).failed(2, "line 2: write: MEM-02 | the message of the failure");
    }

    @Test
    void refusesAReportThatCannotBeWrittenBeforeAnythingRuns() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        run("--report " + file).failed(2, "--report", "cannot be written");
        Path page = Files.writeString(
                Files.createDirectory(directory.resolve("site")).resolve("index.html"), "my page");
        run("--report " + page.getParent()).failed(2, "has files that do not belong to an earlier", "empty directory");
        assertThat(page).hasContent("my page");
    }
}
