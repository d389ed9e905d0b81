// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import dev.verbena.cli.network.CloseStack;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cli.output.Endpoints;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.tools.Exposure;
import dev.verbena.lnd.LnetNode;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Gid;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Runs the nodes of the demo that belong to this process, and prints the outcome. */
public final class DemoProcess {
    private final Injector injector;
    private final PrintWriter out;
    private final ProgressBar progress;

    public DemoProcess(Injector injector, PrintWriter out, PrintWriter err) {
        this.injector = injector;
        this.out = out;
        progress = new ProgressBar(err, ProgressBar.isTerminal(), injector.getInstance(InstantSource.class));
    }

    /** Runs both nodes in this process, and returns whether the demo succeeded. */
    public boolean both(DataSource source, long messageSize) throws Exception {
        DemoOutcome outcome;
        try (CloseStack _ = injector.getInstance(CloseStack.class)) {
            outcome = injector.getInstance(DemoRun.class).run(source, messageSize, progress);
        }
        // All nodes of the demo are closed at this point, so their counters no longer change.
        injector.getInstance(DemoReport.class).print(outcome, out);
        return outcome.isGood();
    }

    /** Runs node A, and returns whether the demo succeeded. */
    public boolean initiator(DataSource source, long messageSize, UdpNetwork network, Duration patience)
            throws Exception {
        InitiatorRun.Outcome outcome;
        try (CloseStack _ = injector.getInstance(CloseStack.class)) {
            LegTimer timer = injector.getInstance(LegTimer.class);
            outcome = new InitiatorRun(injector.getProvider(LnetNode.class), timer, network, patience)
                    .run(source, messageSize, progress);
        }
        injector.getInstance(DemoReport.class).printInitiator(outcome.digests(), outcome.put(), outcome.get(), out);
        return outcome.digests().agree();
    }

    /** Runs node B for one initiator, and returns when the demo is complete. */
    public void target(UdpNetwork network, Duration patience) throws Exception {
        String stored;
        try (CloseStack _ = injector.getInstance(CloseStack.class)) {
            stored = new TargetRun(injector.getProvider(LnetNode.class), patience)
                    .run(progress, () -> announce(network.target()));
        }
        injector.getInstance(DemoReport.class).printTarget(stored, out);
    }

    private void announce(Gid target) {
        injector.getInstance(Key.get(new TypeLiteral<Optional<UdpFabric>>() {}))
                .ifPresent(udp -> out.println("target " + target.toAddress().getHostAddress() + " waits at "
                        + Endpoints.format(udp.endpoint(target))
                        + Exposure.OPEN.at(udp.endpoint(target).getAddress())));
        out.flush();
    }
}
