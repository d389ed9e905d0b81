// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of the tests of perftest, except the measured values. */
class PerftestCommandTest {
    @TempDir
    private Path directory;

    private static Cli run(String arguments) {
        return Cli.run(("perftest " + arguments).split(" +"));
    }

    private static List<List<String>> rows(Cli done) {
        assertThat(done.err()).isEmpty();
        assertThat(done.code()).as(done.out()).isZero();
        List<String> lines = done.out().lines().toList();
        int header = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith(" #bytes"))
                .findFirst()
                .orElseThrow());
        assertThat(lines.getLast()).startsWith("----");
        return lines.subList(header + 1, lines.size() - 1).stream()
                .map(line -> List.of(line.trim().split("\\s+")))
                .toList();
    }

    private static void assertMeasured(Cli done, int size, int messages, int columns) {
        assertThat(rows(done)).singleElement().satisfies(row -> {
            assertThat(row).hasSize(columns);
            assertThat(row.subList(0, 2)).containsExactly(Integer.toString(size), Integer.toString(messages));
            assertThat(row.subList(2, columns))
                    .allSatisfy(cell -> assertThat(Double.parseDouble(cell)).isNotNegative());
        });
    }

    @ParameterizedTest
    @CsvSource({"send, 2", "write, 2", "read, 2", "atomic, 8"})
    void latencyHasTheColumnsOfPerftest(String verb, int size) {
        assertMeasured(run(verb + "-lat --loopback -n 20"), size, 20, 9);
    }

    @ParameterizedTest
    @CsvSource({"send, 65536", "write, 65536", "read, 65536", "atomic, 8"})
    void bandwidthHasTheColumnsOfPerftest(String verb, int size) {
        assertMeasured(run(verb + "-bw --loopback -n 20"), size, 20, 5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "send-bw -q 3 -l 4 -Q 8 -t 16 -s 100",
                "write-bw -q 3 -l 4 -Q 5 -t 9 -s 100 -I 200",
                "read-bw -q 3 -e -s 100",
                "send-bw -q 3 -c UC -m 256 -s 100 -r 1000",
            })
    void queuePairsListsAndModerationChangeNoCount(String test) {
        assertMeasured(run(test + " --loopback -n 24"), 100, 72, 5);
    }

    @Test
    void bothDirectionsCountTogether() {
        assertMeasured(run("send-bw --loopback -b -n 40 -s 64"), 64, 80, 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-lat -e", "write-lat -c UC", "write-bw -m 1024"})
    void packetsMayGoThroughSockets(String test) {
        Cli done = run(test + " --loopback --fabric udp -n 10 -s 5000");
        assertMeasured(done, 5000, 10, test.contains("bw") ? 5 : 9);
    }

    @ParameterizedTest
    @CsvSource({
        "send-lat, 1, 9",
        "write-bw -q 3, 3, 5",
        "read-bw -q 2 --fabric udp, 2, 5",
        "atomic-lat --fabric udp, 1, 9"
    })
    void queuePairsMayBeConnectedByRdmaCm(String test, int queuePairs, int columns) {
        Cli done = run(test + " -R --loopback -n 10");
        assertThat(rows(done)).singleElement().satisfies(row -> {
            assertThat(row).hasSize(columns);
            assertThat(row.get(1)).isEqualTo(Integer.toString(10 * queuePairs));
        });
    }

    @Test
    void allSizesAreThosePowersOfTwo() {
        assertThat(rows(run("write-lat --loopback -a -n 1")))
                .extracting(row -> Integer.parseInt(row.getFirst()))
                .hasSize(23)
                .allSatisfy(size -> assertThat(Integer.bitCount(size)).isOne())
                .isSorted()
                .startsWith(2)
                .endsWith(1 << 23);
    }

    @Test
    void aDurationEndsTheTest() {
        assertThat(rows(run("send-bw --loopback -D 1 -s 8")))
                .singleElement()
                .satisfies(row -> assertThat(Long.parseLong(row.get(1))).isPositive());
    }

    /** Each end needs the other's receives before it can have its own completion. */
    @ParameterizedTest
    @ValueSource(strings = {"-r 99", "-Q 128 -t 600 -r 100", "-r 1"})
    void fewerReceivesThanRequestsOfACompletionBlockNeitherEnd(String depths) {
        assertMeasured(run("send-bw --loopback -b -n 2000 -s 64 --wait 5 " + depths), 64, 4000, 5);
    }

    /** No device notifies the passive end of an RDMA WRITE or READ, so only the other end's reports show that it works. */
    @ParameterizedTest
    @ValueSource(strings = {"write-bw", "read-bw -b", "read-lat", "write-lat"})
    void aTestMayTakeLongerThanAnEndWaitsForTheOther(String test) {
        assertThat(rows(run(test + " --loopback -s 64 -D 2 --wait 1")))
                .singleElement()
                .satisfies(row -> assertThat(Long.parseLong(row.get(1))).isPositive());
    }

    /** 64 queue pairs with 128 sends and 512 receives each would need 40960 entries of one CQ, of 32767. */
    @ParameterizedTest
    @CsvSource({"write-bw -q 64 -n 600, 38400", "send-bw -q 60 -n 600, 36000"})
    void asManyQueuePairsFitAsOfTheOriginal(String test, int messages) {
        assertMeasured(run(test + " --loopback -s 64"), 64, messages, 5);
    }

    @Test
    void depthsAreBoundedByTheMessagesOfATestAsInTheOriginal() {
        assertThat(run("send-bw --loopback -n 10").out().lines())
                .anySatisfy(line -> assertThat(line).matches(" TX depth +: 10"))
                .anySatisfy(line -> assertThat(line).matches(" CQ Moderation +: 1"));
        assertThat(run("send-bw --loopback -n 1009 -s 8192").out()).containsPattern(" CQ Moderation +: 100\\R");
        assertThat(run("send-bw --loopback -n 1009 -s 8193").out()).containsPattern(" CQ Moderation +: 1\\R");
    }

    @Test
    void optionsOfCommandLinesOfTheOriginalAreTaken() {
        Cli done = run("write-bw --loopback -F --report_gbits -n 0x10 -s 0100");
        assertMeasured(done, 64, 16, 5);
        assertThat(done.out()).contains("BW average[Gb/sec]");
    }

    @Test
    void aFileForTheNumbersThatCannotBeWrittenIsRefusedBeforeTheTest() throws Exception {
        run("send-bw --loopback --json " + directory).failed(2, "cannot be written");
        Path file = Files.writeString(directory.resolve("earlier.json"), "earlier");
        run("send-bw --json " + file).failed(2, "--json is for the client");
        assertThat(file).hasContent("earlier");
    }

    @Test
    void theNumbersMayGoIntoAFile() throws Exception {
        Path file = directory.resolve("numbers.json");
        Cli done = run("read-lat --loopback -n 10 -s 16 --json " + file);
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(Files.readString(file))
                .startsWith("{\"results\": [")
                .contains("{\"MsgSize\": 16, \"n_iterations\": 10, \"t_min\": ")
                .contains("\"percentile_99.9\": ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            send-lat -q 2                      | are for bandwidth
            send-lat --loopback 127.0.0.1      | --loopback runs both ends
            send-lat --fabric in-process       | run both ends here with --loopback
            read-bw -c UC                      | --connection UC has no READ
            send-bw -c UD                      | --connection UD is not supported; use RC or UC
            atomic-bw -s 16                    | the size of an atomic is 8 bytes
            send-bw -a -s 8                    | not both
            send-bw -n 5 -D 5                  | not both
            send-bw -l 200                     | --post_list 200 is not in 1..128
            send-bw -s 0                       | --size 0 is not in
            send-bw -s 0x80000000              | '0x80000000' is not an integer of 32 bits
            send-bw -s 64K                     | '64K' is not an integer of 32 bits
            send-bw -n -1                      | --iters -1 is not in
            send-bw -D 0                       | --duration 0 is not in
            send-bw -D 2000000                 | --duration 2000000 is not in
            send-bw -t 0                       | --tx-depth 0 is not in
            send-bw -r 32769                   | --rx-depth 32769 is not in
            send-bw -q 0                       | --qp 0 is not in
            send-bw -Q 0                       | --cq-mod 0 is not in
            send-bw -u 32                      | --qp-timeout 32 is not in
            send-bw -x 0x10000                 | --gid-index 65536 is not in
            send-bw --json x.json              | --json is for the client
            send-bw --loopback --json /nonexistent/x.json | --json '/nonexistent/x.json' cannot be written
            send-bw -p 70000                   | --port 70000 is not in
            send-bw -m 1000                    | is not a path MTU
            send-bw -R -m 1024                 | chooses the path MTU
            send-bw -R -c UC                   | --rdma_cm connects RC
            flush-bw                           | flush-bw
            """)
    void wrongUseIsRefusedInAFewWords(String arguments, String hint) {
        run(arguments).failed(2, hint);
    }

    @Test
    void aTestNameIsRequired() {
        Cli.run("perftest").failed(2, "no test given");
    }

    /** The client's end fails before the server has received anything from it. */
    @Test
    void anEndThatFailsEarlyDoesNotLeaveTheOtherOneWaiting() {
        assertTimeout(
                Duration.ofSeconds(30),
                () -> run("send-bw --loopback -i 2 -n 10").failed(1, "port 2 does not exist"));
    }

    /** No process listens at port 1. */
    @Test
    void aMissingServerIsReported() {
        run("send-lat 127.0.0.1 -p 1").failed(1, "Couldn't connect to 127.0.0.1:1", "start the server there first");
    }
}
