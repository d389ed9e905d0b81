// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The steps of docs/lab-hca.md that need only one host, in their order. */
final class CardChecks {
    static final Duration SHORT = Duration.ofMinutes(3);
    private static final List<String> PERFTESTS =
            List.of("send-lat", "write-lat", "read-lat", "atomic-lat", "send-bw", "write-bw", "read-bw", "atomic-bw");

    private final Card card;
    private final boolean quick;
    private final int tcpPort;
    private final List<Step> steps = new ArrayList<>();

    private CardChecks(Card card, boolean quick, int tcpPort) {
        this.card = card;
        this.quick = quick;
        this.tcpPort = tcpPort;
    }

    /**
     * Returns the steps of a hardware report. A {@code quick} report uses only a few messages and rules in each step, so
     * that a step takes seconds. The pingpongs exchange QP connection data on the given TCP port, which must be free.
     */
    static List<Step> of(Card card, boolean quick, int tcpPort) {
        CardChecks checks = new CardChecks(card, quick, tcpPort);
        checks.addAll();
        return List.copyOf(checks.steps);
    }

    private void addAll() {
        add(
                "doctor",
                "Reports libraries, rights, devices, ports and limits.",
                SHORT,
                "Type the commands that it prints.",
                "doctor");
        add(
                "devices",
                "Lists the devices.",
                SHORT,
                "If the device is missing, its driver or its libibverbs provider is missing: see doctor.txt.",
                "devices",
                "--provider",
                card.provider());
        add(
                "devinfo",
                "Reports all attributes of the device.",
                SHORT,
                "Compare with ibv_devinfo -v of rdma-core.",
                "devinfo",
                "-v",
                "--provider",
                card.provider(),
                "-d",
                card.device());
        card.other().ifPresent(this::addPingPongs);
        PERFTESTS.forEach(this::addPerftest);
        addConformance();
        add(
                "lifecycles",
                "Creates, uses and closes objects in any order, from several threads.",
                quick ? SHORT : Duration.ofMinutes(5),
                "Attach this output to a bug report: it names the call and the seed.",
                command("lifecycles", card.selected(card.device(), "-g"), "--seconds", quick ? "2" : "120")
                        .toArray(String[]::new));
        card.addresses()
                .ifPresent(addresses -> add(
                        "lnet",
                        "Sends a file between two LNet nodes, and compares digests.",
                        Duration.ofMinutes(3),
                        "Test the connection by rping between the same addresses.",
                        "demo",
                        "--provider",
                        card.provider(),
                        "--addresses",
                        addresses));
    }

    private void addPingPongs(String other) {
        for (String type : List.of("rc", "uc", "ud", "srq")) {
            List<String> server =
                    command(type + "-pingpong", card.selected(card.device(), "-g"), "-c", "-p", "" + tcpPort);
            List<String> client =
                    command(type + "-pingpong", card.selected(other, "-g"), "-c", "-p", "" + tcpPort, "127.0.0.1");
            steps.add(new Step(
                    type + "-pingpong",
                    "Exchanges messages between the two devices, and checks every byte.",
                    client,
                    server,
                    SHORT,
                    "Replace either end by ibv_" + type + "_pingpong to find the faulty side."));
        }
    }

    private void addPerftest(String test) {
        add(
                "perftest-" + test,
                "Measures " + test + " from the device to itself.",
                SHORT,
                "Compare with perftest's ib_" + test.replace('-', '_') + ".",
                command(
                                "perftest",
                                command(test, card.selected(card.device(), "-x"), "--loopback"),
                                "-n",
                                quick ? "100" : "5000")
                        .toArray(String[]::new));
    }

    private void addConformance() {
        steps.add(conformance(
                card,
                quick,
                "Tests the device against the rules of verbs; conformance/index.html has a page for each.",
                List.of(),
                List.of()));
    }

    /**
     * Returns the step of the hardware report that runs the conformance kit. The lists {@code server} and {@code client}
     * contain additional options of the server command and the client command. If the list {@code server} is empty, the
     * conformance step runs no server.
     */
    static Step conformance(Card card, boolean quick, String purpose, List<String> server, List<String> client) {
        List<String> arguments = conformance(card);
        arguments.addAll(client);
        card.divergences().ifPresent(file -> arguments.addAll(List.of("--divergences", file.toString())));
        arguments.addAll(List.of("--report", "conformance"));
        if (quick) {
            arguments.addAll(List.of("--rules", "MEM", "--tries", "5"));
        }
        List<String> listening = new ArrayList<>();
        if (!server.isEmpty()) {
            listening.addAll(conformance(card));
            listening.addAll(server);
        }
        return new Step(
                "conformance",
                purpose,
                arguments,
                listening,
                Duration.ofMinutes(quick ? 2 : 30),
                "For each broken rule the output has the command that runs it alone."
                        + " List a known deviation of the card in the file of --divergences.");
    }

    private static List<String> conformance(Card card) {
        List<String> arguments = new ArrayList<>(List.of("conformance", "--provider", card.provider()));
        // The conformance command creates the software devices itself, so `sim` needs no `--device`.
        if (!card.provider().equals("sim")) {
            arguments.addAll(List.of("--device", card.device()));
            arguments.addAll(card.portAndGid("-g"));
        }
        return arguments;
    }

    private static List<String> command(String name, List<String> options, String... more) {
        return Stream.of(Stream.of(name), options.stream(), Stream.of(more))
                .flatMap(part -> part)
                .toList();
    }

    private void add(String name, String purpose, Duration limit, String advice, String... arguments) {
        steps.add(new Step(name, purpose, List.of(arguments), List.of(), limit, advice));
    }
}
