// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Creates the steps of a report on two hosts, in the order of the table in docs/lab-hca.md. Each step of {@code hca-report}
 * runs a server command on the host that has {@code --listen}, and a client command on the other host. Both hosts create
 * the same list of steps. Each step except rping and ucmatose has its own TCP port.
 */
final class HostPairChecks {
    private static final List<String> PERFTESTS = List.of("send-lat", "write-lat", "read-lat", "send-bw", "write-bw");

    private final Card card;
    private final String server;
    private final boolean quick;
    private final List<Step> steps = new ArrayList<>();

    private HostPairChecks(Card card, String server, boolean quick) {
        this.card = card;
        this.server = server;
        this.quick = quick;
    }

    /** Returns the steps of a report on two hosts; {@code server} is the IP address of the server host's RDMA port. */
    static List<Step> of(Card card, String server, boolean quick) {
        HostPairChecks checks = new HostPairChecks(card, server, quick);
        checks.addAll();
        return List.copyOf(checks.steps);
    }

    private void addAll() {
        List<String> bind = List.of("--bind", server);
        List<String> host = List.of(server);
        for (String type : List.of("rc", "uc", "ud", "srq")) {
            String name = type + "-pingpong";
            add(
                    name,
                    "Exchanges messages between the two machines, and checks every byte.",
                    "Replace either end by ibv_" + type + "_pingpong to find the faulty side.",
                    join(List.of(name), card.selected(card.device(), "-g"), List.of("-c", "-p", nextPort())),
                    bind,
                    host);
        }
        List<String> manager = List.of("--provider", card.provider());
        add(
                "rping",
                "Connects by the connection manager, and compares data of READs and WRITEs.",
                "Replace either end by rping of librdmacm-utils. A name must resolve to the address of the RDMA port.",
                join(List.of("rping"), manager, List.of("-a", server, "-C", "100", "-V")),
                List.of("-s"),
                List.of("-c"));
        add(
                "ucmatose",
                "Opens and closes several connections by the connection manager.",
                "Replace either end by ucmatose of librdmacm-utils.",
                join(List.of("ucmatose"), manager, List.of("-c", "10")),
                List.of("-b", server),
                List.of("-s", server));
        for (String test : PERFTESTS) {
            add(
                    "perftest-" + test,
                    "Measures " + test + " between the two machines.",
                    "Compare with perftest's ib_" + test.replace('-', '_') + ".",
                    join(
                            List.of("perftest", test),
                            card.selected(card.device(), "-x"),
                            List.of("-n", quick ? "100" : "5000", "-p", nextPort())),
                    bind,
                    host);
        }
        addConformance();
    }

    private void addConformance() {
        String at = server + ":" + nextPort();
        steps.add(CardChecks.conformance(
                card,
                quick,
                "Tests the two devices against the rules of verbs; conformance/index.html has a page for each.",
                withSecret("--listen", at),
                withSecret("--peer", at)));
    }

    private List<String> withSecret(String option, String at) {
        List<String> options = new ArrayList<>(List.of(option, at));
        card.secretFile().ifPresent(file -> options.addAll(List.of("--secret-file", file.toString())));
        return options;
    }

    private String nextPort() {
        return Integer.toString(HcaReport.CONTROL_PORT + 1 + steps.size());
    }

    private void add(
            String name,
            String purpose,
            String advice,
            List<String> both,
            List<String> ofServer,
            List<String> ofClient) {
        steps.add(new Step(name, purpose, join(both, ofClient), join(both, ofServer), CardChecks.SHORT, advice));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // The method does not write to the array.
    private static List<String> join(List<String>... parts) {
        return Stream.of(parts).flatMap(List::stream).toList();
    }
}
