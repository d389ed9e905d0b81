// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.BindConverter;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.PortOptions;
import dev.verbena.cli.options.SecretOption;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.output.Endpoints;
import dev.verbena.cli.perftest.PeerLink;
import dev.verbena.cli.perftest.PeerListener;
import dev.verbena.cli.report.Card;
import dev.verbena.cli.report.HcaReport;
import dev.verbena.cli.tools.Exposure;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.conformance.side.SharedSecret;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProviders;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena hca-report}: runs all steps of a hardware report, and writes their output to one archive. */
@Command(
        name = "hca-report",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = {
            "Run all steps of a report on an RDMA device and write their output to one archive.",
            "",
            "Each step is a command in a process of its own, with a time limit. A step that fails does not end the"
                    + " report. The page index.html of the archive shows which steps passed, and what to try next. The"
                    + " archive names hosts, users, addresses and GUIDs, unless --redact replaces them.",
            "",
            "The exit code is 0 if all steps passed.",
            ""
        })
final class HcaReportCommand implements Callable<Integer> {
    /** The time within which the other host must connect, and must finish each step. */
    private static final Duration PATIENCE = Duration.ofMinutes(40);

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            defaultValue = "ibverbs",
            description = OptionTexts.PROVIDER + " Default: ibverbs.")
    private String provider = "ibverbs";

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = OptionTexts.DEVICE + " Default: the first one.")
    private @Nullable String device;

    @Option(
            names = "--other-dev",
            paramLabel = "DEV",
            description = "A second device of this machine, for the pingpongs. Default: omit the pingpongs.")
    private @Nullable String other;

    @Mixin
    private PortOptions port = new PortOptions();

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            converter = BindConverter.class,
            description = "Run the steps between two machines. This machine runs the servers at ADDRESS, the address"
                    + " of its RDMA port, on the TCP ports 18600 to 18612. The other machine needs --peer.")
    private @Nullable InetAddress listen;

    @Option(
            names = "--peer",
            paramLabel = "ADDRESS",
            description = "Run the steps between two machines. This machine runs the clients, and the machine at"
                    + " ADDRESS has --listen.")
    private @Nullable InetAddress peer;

    @Mixin
    private SecretOption secret = new SecretOption();

    @Option(
            names = "--addresses",
            paramLabel = "A,B",
            description = "Two addresses of the devices, for LNet. Default: omit the step lnet.")
    private @Nullable String addresses;

    @Option(
            names = "--divergences",
            paramLabel = "FILE",
            description = OptionTexts.DIVERGENCES + " 'verbena help conformance' describes it.")
    private @Nullable Path divergences;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "hca-report.zip",
            description = "The archive; the file must not exist. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path output;

    @Option(names = "--quick", description = "Use few messages and rules, so that each step lasts seconds.")
    private boolean quick;

    @Option(
            names = "--steps",
            paramLabel = "STEP",
            split = ",",
            description = "Run only these steps, separated by commas, for example doctor,conformance. Default: all.")
    private Set<String> onlySteps = Set.of();

    @Option(
            names = "--redact",
            description = "Replace names of hosts and users, addresses, GIDs and GUIDs in the archive.")
    private boolean redact;

    @Override
    public Integer call() throws Exception {
        port.complaint().ifPresent(this::refuse);
        if (Files.exists(output)) {
            refuse("--output '" + output + "' exists; name another file, or remove it");
        }
        if (divergences != null && !Files.isReadable(divergences)) {
            refuse("--divergences '" + divergences + "' cannot be read");
        }
        if (other != null && provider.equals("sim")) {
            refuse("--other-dev is not for --provider sim: its devices in two processes are on separate networks");
        }
        boolean between = listen != null || peer != null;
        if (listen != null && peer != null) {
            refuse("--listen is for one machine, and --peer for the other one");
        }
        if (listen != null && listen.isAnyLocalAddress()) {
            refuse("--listen needs the address of the RDMA port, which the clients of the steps connect to");
        }
        if (between && secret.secret().isEmpty()) {
            refuse("--listen and --peer need a secret; pass the same one on both machines with --secret-file or"
                    + " VERBENA_SECRET");
        }
        PrintWriter out = spec.commandLine().getOut();
        Optional<String> found = deviceUnderTest();
        Card card = new Card(
                provider,
                // Even without a device, the command creates a report. The first steps of the report show why no device
                // was found.
                found.orElse("none"),
                Optional.ofNullable(other),
                port.port(),
                port.gidIndex(),
                Optional.ofNullable(addresses),
                Optional.ofNullable(divergences).map(Path::toAbsolutePath),
                secret.file());
        List<String> possible = HcaReport.stepNames(card, between);
        if (!possible.containsAll(onlySteps)) {
            refuse("--steps " + String.join(",", onlySteps) + " names an unknown step; the steps of this report are "
                    + String.join(", ", possible));
        }
        HcaReport report = new HcaReport(card, output, launcher(), redact);
        boolean passed;
        try {
            passed = between ? runBetween(report, out) : report.run(quick, onlySteps, out);
        } catch (ToolException refused) {
            spec.commandLine().getErr().println(refused.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        out.println(output + " has the output of all steps; begin with its index.html");
        return passed ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private boolean runBetween(HcaReport report, PrintWriter out)
            throws IOException, ToolException, InterruptedException {
        SharedSecret shared = secret.secret().orElseThrow();
        InetAddress own = listen;
        if (own == null) {
            String server = Objects.requireNonNull(peer).getHostAddress();
            try (PeerLink link = PeerLink.connect(server, HcaReport.CONTROL_PORT, PATIENCE)) {
                link.prove(shared);
                return report.call(link, server, quick, onlySteps, out);
            }
        }
        InetSocketAddress at = new InetSocketAddress(own, HcaReport.CONTROL_PORT);
        try (PeerListener listener = new PeerListener(at, Optional.of(shared))) {
            String address = own.getHostAddress();
            out.println("Waiting at " + Endpoints.format(at) + Exposure.SECRET.at(own)
                    + "; on the other machine: verbena hca-report --peer " + address);
            out.flush();
            try (PeerLink link = listener.accept(PATIENCE, PATIENCE)) {
                return report.serve(link, address, quick, onlySteps, out);
            }
        }
    }

    private Optional<String> deviceUnderTest() {
        if (device != null) {
            return Optional.of(device);
        }
        try {
            return VerbsProviders.named(provider).devices().stream()
                    .map(DeviceInfo::name)
                    .findFirst();
        } catch (VerbsException e) {
            spec.commandLine().getErr().println("no device: " + e.getMessage());
            return Optional.empty();
        }
    }

    private void refuse(String complaint) {
        throw new ParameterException(spec.commandLine(), complaint);
    }

    /**
     * Returns the command that starts this program in a new JVM with the same JVM options. The steps of a report run in
     * another working directory, so all paths are absolute.
     */
    private static List<String> launcher() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator)));
        command.add(Verbena.class.getName());
        return command;
    }
}
