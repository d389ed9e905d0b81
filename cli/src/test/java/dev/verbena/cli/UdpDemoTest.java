// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.transfer.Offer;
import dev.verbena.verbs.Gid;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo over sockets of this machine, on ports that the system chooses. */
@Tag("udp")
class UdpDemoTest {
    private static final String ANY = "127.0.0.1:0";

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"--loss 0", "--loss 2%"})
    void oneProcessCarriesTheDataThroughSockets(String faults) {
        Cli run = Cli.run(("demo --fabric udp --size 1M " + faults).split(" ")).succeeded();
        assertThat(run.sum("udp_sent")).isPositive();
        assertThat(run.sum("DROP") > 0).isEqualTo(faults.endsWith("%"));
        assertThat(run.sum("dropped_icrc")).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"--loss 0", "--loss 2%"})
    void twoProcessesAreOneNodeEach(String faults) throws Exception {
        String arguments = "demo --fabric udp --role target --local 127.0.0.1:0 --wait 120 " + faults;
        try (VerbenaProcess target = VerbenaProcess.start(directory, arguments)) {
            String announcement = target.line();
            assertThat(announcement).startsWith("target 192.0.2.2 waits at 127.0.0.1:");
            String peer = announcement.substring(announcement.lastIndexOf(' ') + 1);

            Cli initiator =
                    Cli.run(("demo --fabric udp --role initiator --size 1M --peer " + peer + " " + faults).split(" "));

            assertThat(initiator.err()).isEmpty();
            assertThat(initiator.code()).isZero();
            assertThat(initiator.out()).contains("all three agree");
            String told = target.remainingOutput();
            assertThat(target.exitCode()).as(target.errors()).isZero();
            assertThat(told).contains(initiator.value("SHA-256 of the source"), "udp_received");
        }
    }

    @Test
    void saysWhichPortIsTaken() throws Exception {
        try (DatagramSocket taken =
                new DatagramSocket(new InetSocketAddress(Gid.parse("127.0.0.1").toAddress(), 0))) {
            Cli.run("demo", "--fabric", "udp", "--local", "127.0.0.1:" + taken.getLocalPort())
                    .failed(1, "EADDRINUSE", "give the endpoint another port");
        }
    }

    @Test
    void saysThatNoInterfaceHasAnAddress() {
        Cli.run("demo", "--fabric", "udp", "--local", "198.51.100.77")
                .failed(1, "198.51.100.77", "no interface of this machine has the address");
    }

    @Test
    void saysThatThePeerIsSilentAndHowToStartIt() throws Exception {
        try (DatagramSocket silent =
                new DatagramSocket(new InetSocketAddress(Gid.parse("127.0.0.1").toAddress(), 0))) {
            String peer = "127.0.0.1:" + silent.getLocalPort();
            Cli.run(("demo --fabric udp --role initiator --size 1K --wait 1 --local " + ANY + " --peer " + peer)
                            .split(" "))
                    .failed(1, "does not answer", "--role target", peer);
        }
    }

    @Test
    void anOfferTravelsInOneNumber() {
        for (Offer offer : List.of(new Offer(0, 1), new Offer(1, 1 << 20), new Offer((1L << 44) - 1, 65_537))) {
            assertThat(Offer.decode(Offer.encode(offer.size(), offer.messageSize())))
                    .isEqualTo(offer);
        }
    }
}
