// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.ping.PingInfo;
import dev.verbena.lnet.ping.PingResponder;
import dev.verbena.lnet.ping.Pinger;
import dev.verbena.verbs.Errno;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verbena lnet ping}. */
@Command(name = "ping", description = "Ping a node and print its NIDs, as lctl ping does.")
final class LnetPingCommand extends LnetTool {
    private static final double MICROS = 1e3;

    @Parameters(paramLabel = "NID", description = "The node, such as 10.0.0.2@o2ib.")
    @SuppressWarnings("NullAway.Init") // Required by picocli.
    private String nid;

    @Option(names = "--count", paramLabel = "N", description = "The number of pings. Default: 1.")
    private int count = 1;

    @Option(names = "--wait", paramLabel = "SECONDS", description = OptionTexts.WAIT + " Default: 60.")
    private int wait = 60;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "The time from a reply to the next ping. Default: 0.")
    private int interval;

    @Option(names = "--go-on", description = OptionTexts.GO_ON + " The exit code is that of the last ping.")
    private boolean goOn;

    @Override
    protected int run() throws Exception {
        require("--count", count, 1, Integer.MAX_VALUE);
        require("--wait", wait, 1, Integer.MAX_VALUE);
        require("--interval", interval, 0, Integer.MAX_VALUE);
        Nid target = target(nid);
        LnetConfig settings = config();
        try (DeviceOptions.Devices open = openToCall(settings, target);
                LnetNode node = start(open, settings);
                PingResponder _ = PingResponder.start(node)) {
            for (int i = 1; i < count; i++) {
                try {
                    print(ping(node, target));
                } catch (ToolException e) {
                    if (!goOn) {
                        throw e;
                    }
                    commandLine().getErr().println(e.getMessage());
                    commandLine().getErr().flush();
                }
                node.runtime().await(() -> false, Duration.ofSeconds(interval));
            }
            print(ping(node, target));
        }
        return CommandLine.ExitCode.OK;
    }

    private Pinger.Result ping(LnetNode node, Nid target) throws ToolException, InterruptedException {
        BlockingQueue<Pinger.Result> results = new LinkedBlockingQueue<>();
        Pinger.ping(node, ProcessId.of(target), Duration.ofSeconds(wait), results::add);
        Pinger.Result result = results.take();
        if (result.info() == null) {
            Errno errno = Errno.of(-result.status());
            throw new ToolException("failed to ping " + target + ": " + errno.description() + " (" + errno + ")"
                    + (result.complaint().isEmpty() ? "" : ", " + result.complaint()));
        }
        return result;
    }

    private void print(Pinger.Result result) {
        PrintWriter out = commandLine().getOut();
        PingInfo info = Objects.requireNonNull(result.info());
        for (PingInfo.Interface each : info.interfaces()) {
            out.println(info.pid() + "-" + each.nid());
        }
        out.println(
                String.format(Locale.ROOT, "answered in %.1f us", result.time().toNanos() / MICROS));
        out.flush();
    }
}
