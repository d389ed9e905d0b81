// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.DeviceTool;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.PeerOptions;
import dev.verbena.cli.options.VersionProvider;
import dev.verbena.cli.tools.PingPong;
import dev.verbena.cli.tools.PingPongSettings;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpType;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code verbena rc-pingpong} and its variants. The peer may be the libibverbs program with the matching name. */
abstract class PingPongCommand extends DeviceTool {
    private static final int USUAL_SIZE = 4096;
    private static final int USUAL_UD_SIZE = 2048;
    private static final Duration USUAL_LINGER = Duration.ofSeconds(1);

    @CommandLine.Mixin
    private PeerOptions peer = new PeerOptions();

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            description = "The message size in bytes. Default: 4096; with UD, 2048.")
    private @Nullable Integer size;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "DEP",
            description = OptionTexts.RECEIVE_DEPTH + " Default: 500.")
    private int receiveDepth = 500;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "ITERS",
            description = OptionTexts.ITERATIONS + " Default: 1000.")
    private int iterations = 1000;

    @Option(
            names = {"-l", "--sl"},
            paramLabel = "SL",
            description = "The service level, 0 to 15. Default: 0.")
    private int serviceLevel;

    @Option(
            names = {"-e", "--events"},
            description = "Wait for CQ events. Default: poll the CQ.")
    private boolean events;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            description = OptionTexts.GID_INDEX)
    private @Nullable Integer gidIndex;

    @Option(
            names = {"-c", "--chk"},
            description = "Check every received byte. The bytes of a client's messages depend on the message number.")
    private boolean check;

    @Option(
            names = "--ack-timeout",
            paramLabel = "CODE",
            description = "The ACK timeout of RC before a retransmission: 4.096 us * 2^CODE, 1 to 31. Default:"
                    + " 14, which is 67 ms.")
    private int ackTimeout = 14;

    @Option(
            names = "--linger",
            paramLabel = "MS",
            description = "How long to keep the queue pairs after the last message, to acknowledge messages that the"
                    + " peer retransmits. Default: 1000 with faults, otherwise 0.")
    private @Nullable Integer linger;

    private final QpType type;

    PingPongCommand(QpType type) {
        this.type = type;
    }

    PathMtu mtu() {
        return PathMtu.MTU_1024;
    }

    int queuePairs() {
        return 1;
    }

    boolean sharesReceives() {
        return false;
    }

    @Override
    protected int run() throws Exception {
        PingPongSettings settings = settings();
        try (DeviceOptions.Devices open = devices().openToTalk(settings.server());
                Device device = open.provider().open(open.choose(peer.device()).getFirst())) {
            new PingPong(
                            device,
                            settings,
                            ThreadLocalRandom.current(),
                            commandLine().getOut())
                    .run();
        }
        return CommandLine.ExitCode.OK;
    }

    private PingPongSettings settings() {
        if (devices().isAlone()) {
            throw wrong("--fabric in-process cannot reach another process; omit --fabric");
        }
        peer.complaint().ifPresent(complaint -> {
            throw wrong(complaint);
        });
        int bytes = size != null ? size : type == QpType.UD ? USUAL_UD_SIZE : USUAL_SIZE;
        require("--size", bytes, 1, Integer.MAX_VALUE);
        require("--num-qp", queuePairs(), 1, PingPongSettings.MAX_QUEUE_PAIRS);
        require("--rx-depth", receiveDepth, 1, Integer.MAX_VALUE);
        require("--iters", iterations, 1, Integer.MAX_VALUE);
        require("--sl", serviceLevel, 0, 15);
        require("--gid-idx", gidIndex == null ? 0 : gidIndex, 0, Integer.MAX_VALUE);
        require("--ack-timeout", ackTimeout, 1, 31);
        require("--linger", linger == null ? 0 : linger, 0, Integer.MAX_VALUE);
        return new PingPongSettings(
                type,
                peer.server(),
                peer.tcpPort(),
                peer.listenAt(devices()).getAddress(),
                peer.port(),
                bytes,
                mtu(),
                queuePairs(),
                sharesReceives(),
                receiveDepth,
                iterations,
                serviceLevel,
                AckTimeout.ofCode(ackTimeout),
                events,
                gidIndex == null ? OptionalInt.empty() : OptionalInt.of(gidIndex),
                check,
                peer.comePatience(),
                peer.patience(),
                linger != null ? Duration.ofMillis(linger) : devices().isFaulty() ? USUAL_LINGER : Duration.ZERO);
    }

    /** The --mtu option, which only pingpongs over connected queue pairs have. */
    static final class MtuOption {
        @Option(
                names = {"-m", "--mtu"},
                paramLabel = "SIZE",
                converter = Converter.class,
                description = OptionTexts.MTU + " Default: 1024.")
        private PathMtu mtu = PathMtu.MTU_1024;

        static final class Converter implements ITypeConverter<PathMtu> {
            @Override
            public PathMtu convert(String text) {
                for (PathMtu mtu : PathMtu.values()) {
                    if (Integer.toString(mtu.bytes()).equals(text)) {
                        return mtu;
                    }
                }
                throw new TypeConversionException(
                        "'" + text + "' is not a path MTU; write 256, 512, 1024, 2048 or 4096");
            }
        }
    }

    @Command(
            name = "rc-pingpong",
            mixinStandardHelpOptions = true,
            versionProvider = VersionProvider.class,
            description = "Exchange messages over reliable connections, with ibv_rc_pingpong or another verbena"
                    + " rc-pingpong as the peer.")
    static final class Rc extends PingPongCommand {
        @CommandLine.Mixin
        private MtuOption mtu = new MtuOption();

        @Option(
                names = {"-N", "--new_send"},
                description = "Accepted for compatibility and ignored. Verbena posts all requests through one API.")
        @SuppressWarnings("UnusedVariable") // The command accepts and ignores this option.
        private boolean newSend;

        Rc() {
            super(QpType.RC);
        }

        @Override
        PathMtu mtu() {
            return mtu.mtu;
        }
    }

    @Command(
            name = "uc-pingpong",
            mixinStandardHelpOptions = true,
            versionProvider = VersionProvider.class,
            description = "Exchange messages over unreliable connections, with ibv_uc_pingpong or another"
                    + " verbena uc-pingpong as the peer.")
    static final class Uc extends PingPongCommand {
        @CommandLine.Mixin
        private MtuOption mtu = new MtuOption();

        Uc() {
            super(QpType.UC);
        }

        @Override
        PathMtu mtu() {
            return mtu.mtu;
        }
    }

    @Command(
            name = "ud-pingpong",
            mixinStandardHelpOptions = true,
            versionProvider = VersionProvider.class,
            description = "Exchange datagrams, with ibv_ud_pingpong or another verbena ud-pingpong as the peer.")
    static final class Ud extends PingPongCommand {
        Ud() {
            super(QpType.UD);
        }
    }

    @Command(
            name = "srq-pingpong",
            mixinStandardHelpOptions = true,
            versionProvider = VersionProvider.class,
            description = "Exchange messages over reliable connections that share a receive queue (SRQ),"
                    + " with ibv_srq_pingpong or another verbena srq-pingpong as the peer.")
    static final class Srq extends PingPongCommand {
        @CommandLine.Mixin
        private MtuOption mtu = new MtuOption();

        @Option(
                names = {"-q", "--num-qp"},
                paramLabel = "NUM",
                description = "The number of queue pairs, 1 to 256. Default: 16.")
        private int queuePairs = 16;

        Srq() {
            super(QpType.RC);
        }

        @Override
        PathMtu mtu() {
            return mtu.mtu;
        }

        @Override
        int queuePairs() {
            return queuePairs;
        }

        @Override
        boolean sharesReceives() {
            return true;
        }
    }
}
