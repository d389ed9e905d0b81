// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageTest {
    @TempDir
    private Path directory;

    @ParameterizedTest(name = "verbena demo {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    --loss 200%          | between 0% and 100%
                    --loss -1            | between 0% and 100%
                    --loss many          | write 5% or 0.05
                    --corrupt NaN        | between 0% and 100%
                    --seed seven         | 'seven' is not a seed
                    --seed 1.5           | whole number
                    --seed 99999999999999999999 | whole number
                    --seed               | --seed
                    --size 5X            | '5X' is not a size
                    --size 9999999999G   | is more than 2^63 - 1 bytes
                    --message-size 0     | 1..1048576
                    --size -1            | '-1' is not a size
                    --size 0x10          | '0x10' is not a size
                    --seed 0x7           | whole number
                    --fabric udp --role target --wait 0 | at least 1 second
                    --fabric udp --role target --wait 2147483648 | '2147483648'
                    --fabric udp --local [::1%lo]:1 | LNet needs IPv4 addresses
                    --message-size 1025K | 1..1048576
                    --lost 5%            | did you mean --loss
                    --nonsense           | unknown option '--nonsense'
                    --provider ibverbs   | --addresses A,B (two addresses
                    --addresses 10.0.0.1,10.0.0.2 | --addresses A,B (two addresses
                    --provider ibverbs --addresses 10.0.0.1,10.0.0.2 --seed 1 | are for --provider sim
                    --provider nobody --addresses 10.0.0.1,10.0.0.2 --loss 1% | are for --provider sim
                    one two              | 'two'
                    --fabric tcp         | write in-process or udp
                    --fabric udp --seed 1 | wall time
                    --role target        | are for --fabric udp
                    --capture-tap sent   | needs --capture FILE.pcapng
                    --capture x --capture-tap half | write sent, survived or both
                    --wait 5             | are for --fabric udp
                    --fabric udp --wait 5 | --wait requires --role
                    --fabric udp --role b | write initiator or target
                    --fabric udp --local ::1 | LNet needs IPv4 addresses
                    --fabric udp --local 0.0.0.0 | not an address of an interface
                    --fabric udp --peer localhost:1 | not an address of an interface
                    --fabric udp --peer 127.0.0.1:65536 | no port of 0..65535
                    --fabric udp --peer 127.0.0.1: | no port of 0..65535
                    --fabric udp --peer 127.0.0.1:+80 | no port of 0..65535
                    --fabric udp --peer 127.0.0.1:-0 | no port of 0..65535
                    --fabric udp --peer 127.0.0.1:0x50 | no port of 0..65535
                    --loss 0.05f         | write 5% or 0.05
                    --loss 5d%           | write 5% or 0.05
                    --loss 0x1p-4        | write 5% or 0.05
                    --loss 5%%           | write 5% or 0.05
                    --loss Infinity      | between 0% and 100%
                    --fabric udp --role target --size 1M | the initiator selects
                    """)
    void refusesOptionsThatMakeNoSense(String arguments, String hint) {
        Cli.run(("demo " + arguments).split(" ")).failed(2, hint);
    }

    @Test
    void refusesAnUnknownCommandAndNamesASimilarOne() {
        Cli.run("dmeo").failed(2, "unknown command 'dmeo'");
        Cli.run("dem").failed(2, "did you mean demo or devinfo?");
    }

    @Test
    void refusesAFileThatIsMissing() {
        Cli.run("demo", directory.resolve("missing").toString()).failed(2, "missing' cannot be read: no such file");
    }

    @Test
    void refusesADirectory() {
        Cli.run("demo", directory.toString()).failed(2, "is a directory; name a file");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs POSIX permissions")
    void refusesAFileThatMayNotBeRead() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "secret");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(file), "the superuser may read everything");
        Cli.run("demo", file.toString()).failed(2, "secret' cannot be read: permission denied");
    }

    @Test
    void refusesAnEmptyNameOfAFile() {
        Cli.run("demo", "").failed(2, "the name of the file is empty");
        Cli.run("demo", "--capture", "").failed(2, "the name of the file is empty");
        Cli.run("perftest", "send-lat", "--loopback", "--json", "").failed(2, "the name of the file is empty");
    }

    @Test
    void refusesWhatIsNoAddress() {
        for (String addresses : List.of(",", "10.0.0.1,", "localhost,10.0.0.2", "10.0.0.1,10.0.0.256")) {
            Cli.run("demo", "--provider", "ibverbs", "--addresses", addresses).failed(2, "--addresses");
        }
    }

    @Test
    void refusesADeviceFile() {
        Path device = Path.of("/dev/null");
        assumeTrue(Files.exists(device));
        Cli.run("demo", device.toString()).failed(2, "not a regular file");
    }

    @Test
    void refusesASizeForAFileThatHasOne() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "data");
        Cli.run("demo", file.toString(), "--size", "1M").failed(2, "--size is for generated data");
    }

    @Test
    void refusesACaptureThatCannotBeWrittenBeforeAnythingRuns() {
        Cli.run("demo", "--capture", directory.resolve("missing/x.pcapng").toString())
                .failed(2, "x.pcapng' cannot be written: no such file or directory");
        Cli.run("demo", "--capture", directory.toString()).failed(2, "cannot be written");
    }

    @Test
    void refusesToCaptureIntoTheFileThatItReads() throws IOException {
        Path file = Files.writeString(directory.resolve("precious"), "precious");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        Cli.run("demo", file.toString(), "--capture", link.toString()).failed(2, "would be overwritten");
        assertThat(file).hasContent("precious");
    }

    @Test
    void refusesMoreDataThanTheDiskHoldsBeforeItReadsAnyOfIt() {
        Cli.run("demo", "--size", "8000000000G").failed(1, "do not fit into", "-Djava.io.tmpdir");
    }

    @Test
    void leavesAnEarlierCaptureAloneWhenItRefuses() throws IOException {
        Path capture = Files.writeString(directory.resolve("earlier.pcapng"), "earlier");
        Cli.run("demo", directory.toString(), "--capture", capture.toString()).failed(2, "directory");
        assertThat(capture).hasContent("earlier");
    }

    @Test
    void helpNamesEveryOption() {
        Cli help = Cli.run("demo", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out())
                .contains(Arrays.asList(
                        "FILE",
                        "--loss",
                        "--duplicate",
                        "--reorder",
                        "--corrupt",
                        "--seed",
                        "--capture",
                        "--size",
                        "--fabric",
                        "--role",
                        "--local",
                        "--peer",
                        "--wait"));
    }
}
