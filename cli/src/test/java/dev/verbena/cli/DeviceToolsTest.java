// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** The tools of libibverbs, as subcommands. */
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

    @Test
    void integersAreReadAsStrtolReadsThem() {
        assertThat(Cli.run("devinfo", "-i", "0x1").code()).isZero();
        assertThat(Cli.run("devinfo", "-i", "01").code()).isZero();
        CInteger reader = new CInteger();
        assertThat(reader.convert("010")).isEqualTo(8);
        assertThat(reader.convert("-0X10")).isEqualTo(-16);
        assertThat(reader.convert("+10")).isEqualTo(10);
        assertThat(reader.convert("0")).isZero();
        assertThat(reader.convert("2147483647")).isEqualTo(Integer.MAX_VALUE);
        assertThat(reader.convert("-0x80000000")).isEqualTo(Integer.MIN_VALUE);
        for (String wrong : List.of("", " 1", "1 ", "#1", "0x", "0x-1", "09", "1e3", "\u0661", "2147483648")) {
            assertThatThrownBy(() -> reader.convert(wrong))
                    .as(wrong)
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessageContaining("'" + wrong + "' is not an integer of 32 bits");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc-pingpong", "perftest send-lat"})
    void anEmptyHostIsNotLoopback(String tool) {
        List<String> arguments = new ArrayList<>(List.of(tool.split(" ")));
        arguments.add("");
        Cli.run(arguments.toArray(String[]::new)).failed(2, "HOST is empty");
    }

    /** The output of the original for a Soft-RoCE device. The test compares names, order and columns, but not all values. */
    @Test
    void attributesStandWhereTheOriginalHasThem() throws IOException {
        Cli run = Cli.run("devinfo", "-v", "-d", "sim0");
        assertThat(run.code()).isZero();
        assertThat(names(run.out())).isEqualTo(names(original()));
        assertThat(run.out().lines()).contains("\t\t\tGID[  1]:\t\t::ffff:192.0.2.1, RoCE v2");
    }

    private static List<String> names(String text) {
        return text.lines()
                // The names of flags, and the number of GIDs, differ between devices.
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
                    devinfo -d sim7            | 1 | IB device 'sim7' not found; there are sim0, sim1
                    devinfo -i 2               | 1 | Invalid port requested for device
                    devices --provider nobody  | 1 | no provider is called 'nobody'
                    devices --provider ibverbs --local 10.0.0.1 | 2 | are for --provider sim
                    devices --fabric in-process --local 10.0.0.1 | 2 | are for --fabric udp
                    rc-pingpong -m 1000        | 2 | '1000' is not a path MTU
                    rc-pingpong -s 0           | 2 | --size 0 is not in 1..
                    rc-pingpong -t             | 2 | unknown option '-t'
                    rc-pingpong -s -1          | 2 | --size -1 is not in 1..
                    rc-pingpong -s 2147483648  | 2 | '2147483648' is not an integer of 32 bits
                    rc-pingpong -s 64K         | 2 | '64K' is not an integer of 32 bits; write it decimal, hexadecimal
                    rc-pingpong -n 0x          | 2 | '0x' is not an integer
                    rc-pingpong -n --5         | 2 | '--5' is not an integer
                    rc-pingpong -n 08          | 2 | '08' is not an integer
                    rc-pingpong -p -1          | 2 | --port -1 is not in 0..65535
                    rc-pingpong -i 0           | 2 | --ib-port 0 is not in 1..255
                    rc-pingpong -l 020         | 2 | --sl 16 is not in 0..15
                    rc-pingpong --wait 0       | 2 | --wait 0 is not in 1..
                    rc-pingpong -r 2147483647  | 1 | rx_depth 2147483647 exceeds the maximum of
                    srq-pingpong -r 2147483647 | 1 | rx_depth 2147483647 exceeds the maximum of
                    rc-pingpong -r 40000       | 1 | ibv_create_cq: capacity 40001 is not in 1..32767
                    rc-pingpong -d sim9        | 1 | IB device 'sim9' not found
                    rc-pingpong --local 127.0.0.1%lo | 2 | is not an address of an interface
                    rc-pingpong --provider sim9 | 1 | no provider is called 'sim9'
                    rc-pingpong --capture /nonexistent/x.pcapng | 2 | cannot be written: no such file or directory
                    devinfo -i 0x1z            | 2 | '0x1z' is not an integer
                    devinfo -i 256             | 1 | Invalid port requested for device
                    lifecycles -i 0            | 2 | --ib-port 0 is not in 1..255
                    lifecycles -i 2            | 1 | port 2 does not exist
                    lifecycles -g 7            | 1 | has no GID with index 7
                    conformance -g -1          | 2 | --gid-idx -1 is not in 0..
                    conformance -i 2           | 2 | --ib-port, --gid-idx and --address are for devices that are not of --provider sim
                    srq-pingpong -q 257        | 2 | --num-qp 257 is not in 1..256
                    uc-pingpong --local [::1   | 2 | is not an address of an interface
                    uc-pingpong --local [::1]4791 | 2 | colon after the bracket
                    ud-pingpong --fabric in-process | 2 | cannot reach another process
                    """)
    void refusesWhatMakesNoSense(String arguments, int code, String hint) {
        Cli run = Cli.run(arguments.split(" +"));
        assertThat(run.code()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(hint).doesNotContain("\tat ");
    }
}
