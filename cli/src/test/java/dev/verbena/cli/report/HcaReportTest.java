// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cli.perftest.PeerLink;
import dev.verbena.cli.perftest.PeerListener;
import dev.verbena.conformance.side.SharedSecret;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a shell script stands in for verbena")
class HcaReportTest {
    private static final Card CARD = new Card(
            "ibverbs",
            "mlx5_0",
            Optional.of("mlx5_1"),
            2,
            Optional.of(3),
            Optional.of("10.0.0.1,10.0.0.2"),
            Optional.empty(),
            Optional.of(Path.of("/secrets/lab")));

    private static final SharedSecret SECRET = SharedSecret.of("a secret of both machines");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private boolean passed;
    private String output = "";
    private String page = "";

    /** Runs the report with a script that gets each step's arguments. */
    private void run(String script, String... only) throws Exception {
        Path archive = folder.resolve("report.zip");
        StringWriter out = new StringWriter();
        passed = new HcaReport(CARD, archive, List.of("sh", "-c", script, "verbena"), false)
                .run(true, Set.of(only), new PrintWriter(out));
        output = out.toString();
        page = page(archive);
    }

    private static String page(Path archive) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile());
                var in = zip.getInputStream(zip.getEntry("index.html"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void allStepsPassWhereEachCommandSucceeds() throws Exception {
        run("true");

        assertThat(passed).isTrue();
        assertThat(output.lines()).allMatch(line -> line.contains("passed,"));
        assertThat(page).contains("18 of 18 steps passed").doesNotContain("class=\"bad\"");
    }

    @Test
    void aStepThatFailsDoesNotEndTheReportAndSaysWhatToTry() throws Exception {
        run("test \"$1\" != devinfo");

        assertThat(passed).isFalse();
        assertThat(page)
                .contains(
                        "17 of 18 steps passed",
                        "failed with exit code 1",
                        "Compare with ibv_devinfo -v of rdma-core.");
        assertThat(output).contains("lnet");
    }

    @Test
    void onlyTheNamedStepsAreRun() throws Exception {
        run("true", "lnet", "doctor");

        assertThat(output.lines().map(line -> line.split(" ", 2)[0])).containsExactly("doctor", "lnet");
        assertThat(page).contains("2 of 2 steps passed");
    }

    @Test
    void theDeviceThePortAndTheGidAreThoseOfTheCommand() throws Exception {
        run("true");

        assertThat(page)
                .contains(
                        "rc-pingpong --provider ibverbs -d mlx5_1 -i 2 -g 3 -c",
                        "perftest send-lat --provider ibverbs -d mlx5_0 -i 2 -x 3 --loopback",
                        "conformance --provider ibverbs --device mlx5_0 -i 2 -g 3",
                        "lifecycles --provider ibverbs -d mlx5_0 -i 2 -g 3",
                        "demo --provider ibverbs --addresses 10.0.0.1,10.0.0.2");
    }

    private static boolean between(String script, Path archive, Between call) throws Exception {
        HcaReport report = new HcaReport(CARD, archive, List.of("sh", "-c", script, "verbena"), false);
        return call.run(report, new PrintWriter(new StringWriter()));
    }

    private interface Between {
        boolean run(HcaReport report, PrintWriter out) throws Exception;
    }

    @Test
    void twoMachinesRunTheServersAndTheClientsOfTheSameSteps() throws Exception {
        Path ofServer = folder.resolve("server.zip");
        Path ofClient = folder.resolve("client.zip");
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (PeerListener listener = new PeerListener(anyPort, Optional.of(SECRET));
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<Boolean> serving = thread.submit(() -> {
                try (PeerLink link = listener.accept(MINUTE, MINUTE)) {
                    return between(
                            "echo Waiting for client; sleep 0.3",
                            ofServer,
                            (report, out) -> report.serve(link, "10.0.0.1", true, Set.of(), out));
                }
            });
            try (PeerLink link = PeerLink.connect(
                    anyPort.getAddress().getHostAddress(), listener.address().getPort(), MINUTE)) {
                link.prove(SECRET);

                assertThat(between(
                                "test \"$1\" != ucmatose",
                                ofClient,
                                (report, out) -> report.call(link, "10.0.0.1", true, Set.of(), out)))
                        .isFalse();
            }
            assertThat(serving.get(1, TimeUnit.MINUTES)).isTrue();
        }

        assertThat(page(ofServer))
                .contains(
                        "12 of 12 steps passed",
                        "rc-pingpong --provider ibverbs -d mlx5_0 -i 2 -g 3 -c -p 18601 --bind 10.0.0.1",
                        "conformance --provider ibverbs --device mlx5_0 -i 2 -g 3 --listen 10.0.0.1:18612"
                                + " --secret-file /secrets/lab");
        assertThat(page(ofClient))
                .contains(
                        "11 of 12 steps passed",
                        "rc-pingpong --provider ibverbs -d mlx5_0 -i 2 -g 3 -c -p 18601 10.0.0.1",
                        "rping --provider ibverbs -a 10.0.0.1 -C 100 -V -c",
                        "conformance --provider ibverbs --device mlx5_0 -i 2 -g 3 --peer 10.0.0.1:18612"
                                + " --secret-file /secrets/lab");
    }

    @Test
    void aClientStartsWhenItsServerListens() throws Exception {
        Path ready = folder.resolve("ready");
        run("case \"$*\" in *127.0.0.1*) test -e " + ready + ";; *pingpong*) sleep 0.5; touch " + ready
                + "; echo Waiting for client;; esac");

        assertThat(passed).as(page).isTrue();
    }
}
