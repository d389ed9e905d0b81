// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.util.Modules;
import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.FabricModule;
import dev.verbena.cli.network.Faults;
import dev.verbena.cli.network.Injectors;
import dev.verbena.cli.network.NodesModule;
import dev.verbena.cli.network.Role;
import dev.verbena.cli.network.RuntimeModule;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cli.options.BindConverter;
import dev.verbena.cli.options.ByteSize;
import dev.verbena.cli.options.CaptureOption;
import dev.verbena.cli.options.NetworkOptions;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.SeedConverter;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.output.Failures;
import dev.verbena.cli.output.OutputFiles;
import dev.verbena.cli.transfer.DataSource;
import dev.verbena.cli.transfer.DemoException;
import dev.verbena.cli.transfer.DemoProcess;
import dev.verbena.cli.transfer.FileData;
import dev.verbena.cli.transfer.GeneratedData;
import dev.verbena.cli.transfer.NativeDemo;
import dev.verbena.verbs.VerbsProviders;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbena demo}: checks the arguments, assembles devices and nodes, runs the demo, and prints its results. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        description = {
            "Transfer a file from one LNet node to another and back, over two RDMA devices in" + " software.",
            "",
            "Both nodes are in this process, unless --role selects one of them. Node A sends the"
                    + " file to node B with PUT and fetches it back with GET. At the end, the demo compares"
                    + " the original file with the copies on nodes A and B. The exit code is 0 if the file and both"
                    + " copies are equal.",
            ""
        })
final class DemoCommand implements Callable<Integer> {
    private static final String SOFTWARE = "sim";

    private static final long DEFAULT_SIZE = 64L << 20;
    /** The largest payload of an LNet message, LNET_MTU. */
    private static final ByteSize MAX_MESSAGE = new ByteSize(1L << 20);

    private final Module overrides;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The file to transfer. Default: generated data.")
    private @Nullable Path file;

    @Option(
            names = "--size",
            paramLabel = "N",
            converter = ByteSize.Converter.class,
            description = "The size of the generated data without FILE: bytes, or a number with K, M or G."
                    + " Default: 64M.")
    private @Nullable ByteSize size;

    @Option(
            names = "--message-size",
            paramLabel = "N",
            converter = ByteSize.Converter.class,
            description = "The payload of one message, 1 to 1M. Default: 1M.")
    private ByteSize messageSize = MAX_MESSAGE;

    @Option(names = "--provider", paramLabel = "NAME", description = OptionTexts.PROVIDER + " Default: sim.")
    private String provider = SOFTWARE;

    @Option(
            names = "--addresses",
            paramLabel = "A,B",
            split = ",",
            converter = BindConverter.class,
            description = "The addresses of node A and node B, if --provider is not sim. Both addresses must belong to"
                    + " devices of the provider, possibly to the same device.")
    private List<InetAddress> addresses = List.of();

    @Mixin
    private Faults faults = new Faults();

    @Mixin
    private NetworkOptions network = new NetworkOptions();

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = SeedConverter.class,
            description = "Run in virtual time, in which the same seed repeats the run exactly, and print the"
                    + " hash of all packets.")
    private @Nullable Long seed;

    @Mixin
    private CaptureOption capture = new CaptureOption();

    /** Creates the command. The Guice bindings of {@code overrides} replace default bindings of the command. */
    DemoCommand(Module overrides) {
        this.overrides = overrides;
    }

    @Override
    public Integer call() throws Exception {
        checkArguments();
        try {
            return run();
        } catch (DemoException e) {
            throw faults.plan().rules().isEmpty()
                    ? e
                    : new DemoException(e, "; the fault probabilities may be too high for the retries, reduce them");
        }
    }

    private int run() throws Exception {
        if (!isSoftware()) {
            try (DataSource source = openSource()) {
                return new NativeDemo(VerbsProviders.named(provider), addresses.getFirst(), addresses.getLast())
                                .run(source, messageSize.bytes(), spec.commandLine())
                        ? CommandLine.ExitCode.OK
                        : CommandLine.ExitCode.SOFTWARE;
            }
        }
        Optional<UdpNetwork> where = network.network();
        Role role = network.role();
        if (where.isPresent() && role == Role.TARGET) {
            checkCapture();
            assemble(where).target(where.get(), network.patience());
            return CommandLine.ExitCode.OK;
        }
        try (DataSource source = openSource()) {
            checkCapture();
            boolean good = where.isPresent() && role == Role.INITIATOR
                    ? assemble(where).initiator(source, messageSize.bytes(), where.get(), network.patience())
                    : assemble(where).both(source, messageSize.bytes());
            return good ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private DemoProcess assemble(Optional<UdpNetwork> where) {
        Injector injector = Injectors.of(Modules.override(modules(where)).with(overrides));
        return new DemoProcess(
                injector, spec.commandLine().getOut(), spec.commandLine().getErr());
    }

    private boolean isSoftware() {
        return provider.equals(SOFTWARE);
    }

    private void checkArguments() {
        if (isSoftware() != addresses.isEmpty() || (!isSoftware() && addresses.size() != 2)) {
            throw wrong("--addresses A,B (two addresses of its devices) is for a --provider other than sim, and"
                    + " required there");
        }
        if (!isSoftware()
                && (seed != null
                        || network.network().isPresent()
                        || capture.capture().isPresent()
                        || !faults.plan().rules().isEmpty())) {
            throw wrong("--seed, --fabric, --capture and faults are for --provider sim");
        }
        if (file != null && size != null) {
            throw wrong("--size is for generated data; omit --size or FILE");
        }
        Optional<String> complaint =
                network.complaint(seed != null, file != null || size != null || !messageSize.equals(MAX_MESSAGE));
        if (complaint.isPresent()) {
            throw wrong(complaint.get());
        }
        if (messageSize.bytes() < 1 || messageSize.bytes() > MAX_MESSAGE.bytes()) {
            throw wrong("--message-size " + messageSize.bytes() + " is not in 1.." + MAX_MESSAGE.bytes()
                    + ", the payload of an LNet message");
        }
    }

    private DataSource openSource() {
        if (file == null) {
            return new GeneratedData(size == null ? DEFAULT_SIZE : size.bytes());
        }
        if (Files.isDirectory(file)) {
            throw wrong("'" + file + "' is a directory; name a file");
        }
        if (OutputFiles.isDevice(file)) {
            throw wrong("'" + file + "' is not a regular file; copy its content to one");
        }
        try {
            return FileData.open(file);
        } catch (FileSystemException e) {
            throw wrong("'" + file + "' cannot be read: " + Failures.reason(e));
        } catch (IOException e) {
            throw wrong("'" + file + "' cannot be read: " + e.getMessage());
        }
    }

    private void checkCapture() {
        capture.complaint(file).ifPresent(complaint -> {
            throw wrong(complaint);
        });
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private Module modules(Optional<UdpNetwork> where) {
        return Modules.combine(
                new RuntimeModule(seed == null ? OptionalLong.empty() : OptionalLong.of(seed)),
                new FabricModule(faults.plan(), capture.capture(), where),
                new DevicesModule(where),
                new NodesModule());
    }
}
