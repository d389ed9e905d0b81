// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.cli.network.Carrier;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cli.options.EndpointConverter;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.PortOptions;
import dev.verbena.cli.options.SecretOption;
import dev.verbena.cli.options.SeedConverter;
import dev.verbena.cli.output.Endpoints;
import dev.verbena.cli.output.Failures;
import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.side.PortChoice;
import dev.verbena.conformance.side.SharedSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code verbena conformance}: the devices under test, the rules, and how the rules are executed. */
final class ConformanceOptions {
    static final String SIM = "sim";
    private static final int DEFAULT_TRIES = 20;
    private static final int DEFAULT_PATIENCE = 10;

    @Option(names = "--provider", paramLabel = "NAME", description = OptionTexts.PROVIDER + " Default: sim.")
    private String provider = SIM;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description =
                    "The device; with sim, its profile: specification, soft-roce or uc-only. Default: the first one.")
    private @Nullable String device;

    @Mixin
    private PortOptions port = new PortOptions();

    @Option(
            names = "--address",
            paramLabel = "HOST",
            converter = HostConverter.class,
            description = "The IP address of the device, for connections of rdma_cm. Default: the address in the GID."
                    + " Only a GID of RoCE v2 contains an IP address.")
    private @Nullable InetAddress address;

    @Option(names = "--threads", description = "Run software devices by threads in wall time. Default: virtual time.")
    private boolean threads;

    @Option(
            names = "--fabric",
            paramLabel = "FABRIC",
            converter = Carrier.Converter.class,
            description = OptionTexts.FABRIC + " Default: in-process.")
    private @Nullable Carrier fabric;

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            converter = ListenConverter.class,
            description = "Serve a device on this address to --peer processes, one connection at a time."
                    + " Default of HOST: 127.0.0.1; port 0 selects a free port.")
    private @Nullable InetSocketAddress listen;

    @Mixin
    private SecretOption secret = new SecretOption();

    @Option(
            names = "--peer",
            paramLabel = "HOST:PORT",
            converter = PeerConverter.class,
            description = "The --listen address of the process that serves the other device.")
    private @Nullable InetSocketAddress peer;

    @Option(
            names = "--rules",
            paramLabel = "RULES",
            converter = RuleSelection.Converter.class,
            description = "Comma-separated rule areas and rules to test, such as MEM,POST-07. Default: all rules.")
    private @Nullable RuleSelection rules;

    @Option(names = "--list", description = "Print the selected rules and exit. Default: test the selected rules.")
    private boolean list;

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = SeedConverter.class,
            description = "The seed of all random choices. In virtual time, the same seed reproduces all results."
                    + " Default: a new one.")
    private @Nullable Long seed;

    @Option(
            names = "--tries",
            paramLabel = "N",
            description = "How many times a rule with random values is executed. Default: ${DEFAULT-VALUE}.")
    private int tries = DEFAULT_TRIES;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description =
                    "Retry failed executions of rules at most N times in total. A retry uses the same random values."
                            + " An execution can fail if UDP or a network loses a packet. The report shows each retry."
                            + " Default: ${DEFAULT-VALUE}.")
    private int repeats;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description = "The time limit for an event. A slow machine needs more time. Default: ${DEFAULT-VALUE}.")
    private int patience = DEFAULT_PATIENCE;

    @Option(
            names = "--divergences",
            paramLabel = "FILE",
            converter = DivergencesConverter.class,
            description = OptionTexts.DIVERGENCES + " A line is: RULE | message of the"
                    + " failure, with * for any text | reason. A listed rule that is kept, or fails"
                    + " with another message, fails the run.")
    private @Nullable DivergencesFile divergences;

    Optional<String> complaint() {
        if (port.complaint().isPresent()) {
            return port.complaint();
        }
        if (isSim() && (!port.isUsual() || address != null)) {
            return Optional.of("--ib-port, --gid-idx and --address are for devices that are not of --provider sim");
        }
        if (tries < 1 || patience < 1) {
            return Optional.of("--tries and --patience are at least 1");
        }
        if (repeats < 0) {
            return Optional.of("--repeats is at least 0");
        }
        if (repeats > 0 && isSim() && peer == null && fabric != Carrier.UDP) {
            return Optional.of(
                    "--repeats is for --fabric udp, --peer and real devices: in one process no packet is lost, and"
                            + " each failure counts");
        }
        if (!isSim() && (threads || fabric != null)) {
            return Optional.of("--threads and --fabric are for --provider sim; '" + provider + "' has neither");
        }
        if (listen != null && (peer != null || rules != null || seed != null || divergences != null)) {
            return Optional.of("the process with --peer selects the rules; with --listen omit --peer, --rules,"
                    + " --seed and --divergences");
        }
        if (list && (listen != null || peer != null)) {
            return Optional.of("--list opens no device; omit --listen and --peer");
        }
        if (isSim() && fabric == Carrier.IN_PROCESS && (peer != null || listen != null)) {
            return Optional.of("two processes need --fabric udp, the default; omit --fabric");
        }
        return isSim() && kind().isEmpty()
                ? Optional.of(
                        "sim has no device '" + device + "'; it has the kinds specification, soft-roce and uc-only")
                : Optional.empty();
    }

    boolean isSim() {
        return provider.equals(SIM);
    }

    String provider() {
        return provider;
    }

    Optional<String> device() {
        return Optional.ofNullable(device);
    }

    PortChoice port() {
        return new PortChoice(port.port(), port.gid(), Optional.ofNullable(address));
    }

    /** Returns the software-device profile that {@code --device} specifies, or empty if no profile has this name. */
    Optional<SimKind> kind() {
        return device == null ? Optional.of(SimKind.SPECIFICATION) : SimKind.named(device);
    }

    SimBench.Manner manner() {
        if (fabric == Carrier.UDP) {
            return SimBench.Manner.UDP;
        }
        return threads ? SimBench.Manner.THREADS : SimBench.Manner.VIRTUAL;
    }

    Optional<InetSocketAddress> listen() {
        return Optional.ofNullable(listen);
    }

    Optional<InetSocketAddress> peer() {
        return Optional.ofNullable(peer);
    }

    /** The shared secret of the TCP control connection. A listener on an address other than loopback requires a secret. */
    Optional<SharedSecret> secret() {
        return listen == null ? secret.secret() : secret.secretAt(listen.getAddress());
    }

    boolean list() {
        return list;
    }

    RuleSelection rules() {
        return rules == null ? RuleSelection.all() : rules;
    }

    /** Returns the seed that the user chose, or otherwise a random seed, which is the same for all later calls. */
    long seed() {
        if (seed == null) {
            seed = ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE);
        }
        return seed;
    }

    int tries() {
        return tries;
    }

    int repeats() {
        return repeats;
    }

    Duration patience() {
        return Duration.ofSeconds(patience);
    }

    Optional<Divergences> divergences() {
        return Optional.ofNullable(divergences).map(DivergencesFile::content);
    }

    /** Returns command-line options, such as provider and seed, with which a user can execute a single rule again. */
    String again() {
        StringBuilder text = new StringBuilder("--provider " + provider);
        device().ifPresent(name -> text.append(" --device ").append(name));
        if (port.port() != 1) {
            text.append(" -i ").append(port.port());
        }
        port.gidIndex().ifPresent(index -> text.append(" -g ").append(index));
        if (address != null) {
            text.append(" --address ").append(address.getHostAddress());
        }
        if (threads) {
            text.append(" --threads");
        }
        if (fabric == Carrier.UDP) {
            text.append(" --fabric udp");
        }
        peer().ifPresent(at -> text.append(" --peer ").append(Endpoints.format(at)));
        text.append(" --seed ").append(seed());
        if (tries != DEFAULT_TRIES) {
            text.append(" --tries ").append(tries);
        }
        if (repeats > 0) {
            text.append(" --repeats ").append(repeats);
        }
        if (patience != DEFAULT_PATIENCE) {
            text.append(" --patience ").append(patience);
        }
        if (divergences != null) {
            text.append(" --divergences ").append(divergences.name());
        }
        return text.toString();
    }

    static final class HostConverter implements ITypeConverter<InetAddress> {
        @Override
        public InetAddress convert(String text) {
            return address(text);
        }
    }

    static final class PeerConverter implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            int colon = text.lastIndexOf(':');
            if (colon < 1) {
                throw new TypeConversionException(
                        "'" + text + "' is not HOST:PORT; write it as the process with --listen prints it");
            }
            int port = EndpointConverter.port(text, colon + 1);
            if (port == 0) {
                throw new TypeConversionException(
                        "no process listens at port 0; write the port that the process with --listen prints");
            }
            return new InetSocketAddress(address(text.substring(0, colon)), port);
        }
    }

    static final class ListenConverter implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            int colon = text.lastIndexOf(':');
            int port = EndpointConverter.port(text, colon + 1);
            return colon < 0
                    ? new InetSocketAddress(UdpNetwork.ANY_PORT.getAddress(), port)
                    : new InetSocketAddress(address(text.substring(0, colon)), port);
        }
    }

    private static InetAddress address(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (!host.isEmpty() && !address.isAnyLocalAddress()) {
                return address;
            }
        } catch (UnknownHostException unknown) {
            // The exception thrown below needs no cause, because its message contains the invalid host.
        }
        throw new TypeConversionException("'" + host + "' is not a host; write a name or an address of an interface");
    }

    private record DivergencesFile(String name, Divergences content) {}

    static final class DivergencesConverter implements ITypeConverter<DivergencesFile> {
        @Override
        public DivergencesFile convert(String text) {
            try {
                return new DivergencesFile(text, Divergences.read(Path.of(text)));
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            } catch (FileSystemException refused) {
                throw new TypeConversionException("'" + text + "' cannot be read: " + Failures.reason(refused));
            } catch (IOException broken) {
                throw new TypeConversionException("'" + text + "' cannot be read: " + broken.getMessage());
            }
        }
    }
}
