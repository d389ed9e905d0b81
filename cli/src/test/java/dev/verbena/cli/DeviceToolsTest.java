package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tools that users of libibverbs know, as subcommands. */
class DeviceToolsTest {
    @Test
    void devicesAreListedAsTheOriginalListsThem() {
        Cli run = Cli.run("devices");
        assertThat(run.code()).isZero();
        assertThat(run.out().lines())
                .containsExactly(
                        "    device          \t   node GUID",
                        "    ------          \t----------------",
                        "    sim0            \t0256fffec0000201",
                        "    sim1            \t0256fffec0000202");
        assertThat(Cli.run("devinfo", "-l").out().lines()).containsExactly("2 HCAs found:", "\tsim0", "\tsim1", "");
    }

    /** What the original printed of a Soft-RoCE device; names, order and columns, not all of the values. */
    @Test
    void attributesStandWhereTheOriginalHasThem() throws IOException {
        Cli run = Cli.run("devinfo", "-v", "-d", "sim0");
        assertThat(run.code()).isZero();
        assertThat(names(run.out())).isEqualTo(names(original()));
        assertThat(run.out().lines()).contains("\t\t\tGID[  1]:\t\t::ffff:192.0.2.1, RoCE v2");
    }

    private static List<String> names(String text) {
        return text.lines()
                // Names of flags, and how many GIDs there are, differ between devices.
                .filter(line -> !line.startsWith("\t\t\t\t\t") && !line.matches("\t\t\tGID\\[ +[^01]\\].*"))
                .map(line -> line.replaceFirst("(:\t+).*", "$1"))
                .toList();
    }

    private static String original() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(DeviceToolsTest.class.getResourceAsStream("tools/ibv_devinfo-v.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    devinfo -d sim7            | 1 | IB device 'sim7' wasn't found
                    devinfo -i 2               | 1 | Invalid port requested for device
                    devices --provider nobody  | 1 | no provider is called 'nobody'
                    devices --provider ibverbs --local 10.0.0.1 | 2 | are for --provider sim
                    devices --fabric in-process --local 10.0.0.1 | 2 | are for --fabric udp
                    rc-pingpong -m 1000        | 2 | '1000' is no path MTU
                    rc-pingpong -s 0           | 2 | --size 0 is not in 1..
                    rc-pingpong -t             | 2 | unknown option '-t'
                    srq-pingpong -q 257        | 2 | --num-qp 257 is not in 1..256
                    uc-pingpong --local [::1   | 2 | is no address of an interface
                    uc-pingpong --local [::1]4791 | 2 | colon behind the bracket
                    ud-pingpong --fabric in-process | 2 | leads to no other process
                    """)
    void refusesWhatMakesNoSense(String arguments, int code, String hint) {
        Cli run = Cli.run(arguments.split(" "));
        assertThat(run.code()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(hint).doesNotContain("\tat ");
    }
}
