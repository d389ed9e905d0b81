// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.lnet.RawWrite;
import dev.verbena.cli.options.ByteSize;
import dev.verbena.cli.options.CmTool;
import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.EndpointConverter;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.options.SecretOption;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.output.Table;
import dev.verbena.conformance.side.SharedSecret;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.ping.PingResponder;
import dev.verbena.lnet.selftest.DataCheck;
import dev.verbena.lnet.selftest.SelftestPlan;
import dev.verbena.lnet.selftest.SelftestProgress;
import dev.verbena.lnet.selftest.SelftestRun;
import dev.verbena.verbs.Device;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verbena lnet selftest}. */
@Command(
        name = "selftest",
        description = "Test a node with the protocol of lnet_selftest: pings, or data that is read or"
                + " written and checked.")
final class LnetSelftestCommand extends LnetTool {
    private static final ByteSize USUAL_SIZE = new ByteSize(1L << 20);
    private static final int USUAL_SECONDS = 10;
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final double MEBI = 1 << 20;
    private static final double NANOS = 1e9;

    @Parameters(paramLabel = "NID", description = "The node, such as 10.0.0.2@o2ib.")
    @SuppressWarnings("NullAway.Init") // Required by picocli.
    private String nid;

    @Option(names = "--test", paramLabel = "TEST", description = "ping, read or write. Default: write.")
    private SelftestPlan.Kind kind = SelftestPlan.Kind.WRITE;

    @Option(
            names = "--size",
            paramLabel = "N",
            converter = ByteSize.Converter.class,
            description = "The size of one transfer, a multiple of 8 bytes up to 1M. Default: 1M.")
    private ByteSize size = USUAL_SIZE;

    @Option(
            names = "--check",
            paramLabel = "CHECK",
            description = "How to check the data: full, simple or none. Default: full.")
    private DataCheck check = DataCheck.FULL;

    @Option(names = "--concurrency", paramLabel = "N", description = "The number of concurrent requests. Default: 8.")
    private int concurrency = 8;

    @Option(
            names = "--loop",
            paramLabel = "N",
            description = "Repeat each concurrent request this many times. With --loop, --time has no default.")
    private @Nullable Integer loop;

    @Option(names = "--time", paramLabel = "SECONDS", description = "The duration. Default: 10.")
    private @Nullable Integer seconds;

    @Option(names = "--force", description = "End any session that another console has on the tested node.")
    private boolean force;

    @Option(names = "--go-on", description = OptionTexts.GO_ON)
    private boolean goOn;

    @Option(
            names = "--raw",
            paramLabel = "HOST:PORT",
            converter = EndpointConverter.class,
            description = "After the test, RDMA WRITE without LNet is measured for comparison. HOST:PORT is the TCP"
                    + " address that 'verbena lnet up --raw-port' printed.")
    private @Nullable InetSocketAddress raw;

    @Mixin
    private SecretOption secret = new SecretOption();

    @Override
    protected int run() throws Exception {
        Nid target = target(nid);
        LnetConfig settings = config();
        SelftestPlan plan = plan(target);
        Optional<SharedSecret> held = secret.secret();
        try (DeviceOptions.Devices open = openToCall(settings, target);
                LnetNode node = start(open, settings);
                PingResponder _ = PingResponder.start(node)) {
            SelftestRun run = SelftestRun.start(node, plan);
            int code = CmTool.interruptibly(
                    moment -> {
                        run.stop();
                        node.runtime().await(run::isOver, moment);
                    },
                    () -> {
                        watch(run, node);
                        // RDMA WRITE is measured after the selftest, so that the JIT compiler has already compiled the
                        // code that the measurement needs.
                        return report(run.progress(), raw == null ? 0 : measureRaw(open, node, raw, held));
                    });
            return code;
        }
    }

    private SelftestPlan plan(Nid target) {
        Integer time = loop == null && seconds == null ? Integer.valueOf(USUAL_SECONDS) : seconds;
        require("--time", time == null ? 1 : time, 1, Integer.MAX_VALUE);
        if (size.bytes() > USUAL_SIZE.bytes()) {
            throw wrong("--size " + size.bytes() + " is not a multiple of 8 in 8.." + USUAL_SIZE.bytes());
        }
        try {
            return SelftestPlan.builder(ProcessId.of(target), kind)
                    .size(kind == SelftestPlan.Kind.PING ? 0 : (int) size.bytes())
                    .check(check)
                    .concurrency(concurrency)
                    .loop(loop)
                    .duration(time == null ? null : Duration.ofSeconds(time))
                    .force(force)
                    .stopOnError(!goOn)
                    .build();
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static double measureRaw(
            DeviceOptions.Devices open, LnetNode node, InetSocketAddress server, Optional<SharedSecret> secret)
            throws Exception {
        String name = LnetDevices.withAddress(open.provider(), LnetConfig.addressOf(node.nid()));
        try (Device device = open.provider().open(name)) {
            return RawWrite.measure(device, server, secret);
        }
    }

    /** Waits until the selftest ends, and, on a terminal, prints the progress each second. */
    private void watch(SelftestRun run, LnetNode node) throws InterruptedException {
        boolean live = ProgressBar.isTerminal();
        SelftestProgress before = run.progress();
        while (!node.runtime().await(run::isOver, LOOK)) {
            SelftestProgress now = run.progress();
            if (live) {
                tell(before, now);
            }
            before = now;
        }
    }

    private void tell(SelftestProgress before, SelftestProgress now) {
        double time = now.elapsed().minus(before.elapsed()).toNanos() / NANOS;
        PrintWriter err = commandLine().getErr();
        err.println(String.format(
                Locale.ROOT,
                "%s: %d done, %d errors, %.1f MiB/s",
                now.phase(),
                now.done(),
                now.errors(),
                time > 0 ? (now.bytes() - before.bytes()) / MEBI / time : 0));
        err.flush();
    }

    private int report(SelftestProgress last, double wire) {
        PrintWriter out = commandLine().getOut();
        double time = last.elapsed().toNanos() / NANOS;
        double rate = time > 0 ? last.bytes() / MEBI / time : 0;
        Table table = new Table()
                .row("test", kind.toString())
                .row("requests that went well", last.done())
                .row("errors here", last.errors())
                .row("errors there", last.serverErrors())
                .row("seconds", String.format(Locale.ROOT, "%.3f", time))
                .row("requests/s", String.format(Locale.ROOT, "%.1f", time > 0 ? last.done() / time : 0));
        if (kind != SelftestPlan.Kind.PING) {
            table.row("MiB/s", String.format(Locale.ROOT, "%.1f", rate));
        }
        if (wire > 0) {
            table.row("raw RDMA WRITE MiB/s", String.format(Locale.ROOT, "%.1f", wire))
                    .row("ratio to raw", String.format(Locale.ROOT, "%.2f", rate / wire));
        }
        table.print(out);
        last.complaints().forEach(commandLine().getErr()::println);
        out.flush();
        return last.isGood() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
