// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("udp")
class DoctorTest {
    @Test
    void tellsWhatThereIsAndWhyNotTheRest() {
        Cli run = Cli.run("doctor");
        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().toList())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("java: ")
                        .contains(Integer.toString(Runtime.version().feature())))
                .anySatisfy(line -> assertThat(line).startsWith("UDP at 127.0.0.1: yes, MTU"))
                .anySatisfy(line -> assertThat(line).matches("UDP at 127.0.0.1, port 4791: (yes, MTU|no, ).*"))
                .anySatisfy(
                        line -> assertThat(line).matches("IPv6 from peers that send no UDP checksum.*: (yes|no, .+)"))
                .anySatisfy(line -> assertThat(line).matches("library of provider ibverbs: (yes|no), .+"));
    }

    @Test
    void withAProviderItReportsTheDevicesOfThatProviderOnly() {
        Cli run = Cli.run("doctor", "--provider", "ibverbs");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("library of provider ibverbs: ").doesNotContain("UDP at", "provider disni");
        assertThat(Cli.run("doctor", "--provider", "absent").err()).contains("no provider is called 'absent'");
    }
}
