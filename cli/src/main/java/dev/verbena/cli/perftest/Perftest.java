// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** As client or server, exchanges QP connection data and R_Keys, then measures each message size. Not thread-safe. */
public final class Perftest {
    static final String GREETING = "verbena perftest 1: ";

    private final Wiring.Maker wiring;
    private final PerftestSettings settings;
    private final boolean client;
    private final PeerLink link;
    private final PerftestReport report;

    private Perftest(
            Wiring.Maker wiring, PerftestSettings settings, boolean client, PeerLink link, PerftestReport report) {
        this.wiring = wiring;
        this.settings = settings;
        this.client = client;
        this.link = link;
        this.report = report;
    }

    /**
     * Creates a client or server that connects its queue pairs by exchanging their attributes with the peer over a TCP
     * connection ({@code link}). The client starts the test. In a unidirectional test, only the client measures. The test
     * closes neither the device nor the TCP connection.
     */
    public Perftest(Device device, PerftestSettings settings, boolean client, PeerLink link, PerftestReport report) {
        this((agreed, peer) -> new ExchangeWiring(device, agreed), settings, client, link, report);
    }

    /**
     * Creates a client or server whose queue pairs are connected by rdma_cm; the server listens on the {@code device}'s IP
     * address. The test closes neither the device nor the TCP connection ({@code link}).
     */
    public static Perftest byRdmaCm(
            ConnectionManager manager,
            Device device,
            PerftestSettings settings,
            boolean client,
            PeerLink link,
            PerftestReport report) {
        Wiring.Maker maker = client
                ? (agreed, peer) -> new CmCaller(manager, agreed, peer)
                : (agreed, peer) -> new CmListener(manager, device, agreed, peer);
        return new Perftest(maker, settings, client, link, report);
    }

    /**
     * Runs the test for all message sizes. Throws {@link ToolException} if a work request failed, the settings of
     * client and server differ, or the peer exceeds the time limit.
     */
    public void run() throws ToolException, IOException, VerbsException, InterruptedException {
        link.meet(GREETING + settings.agreement());
        try (Wiring wired = wiring.make(settings, link);
                PerftestEnd end = new PerftestEnd(wired, settings)) {
            Device device = wired.device();
            List<PerftestPeer> mine = end.addresses();
            List<PerftestPeer> theirs = exchange(mine);
            report.begin(device, settings, mine, theirs);
            end.connect(theirs);
            LatencyRun latency = new LatencyRun(settings, end, link, device.runtime());
            BandwidthRun bandwidth = new BandwidthRun(settings, end, link, device.runtime());
            for (int size : settings.sizes()) {
                end.prepare(size);
                link.meet("size " + size);
                if (settings.bandwidth()) {
                    run(bandwidth, size);
                } else {
                    run(latency, size);
                }
            }
            link.meet("end");
            report.end();
        }
    }

    private List<PerftestPeer> exchange(List<PerftestPeer> mine) throws IOException, ToolException {
        List<PerftestPeer> theirs = new ArrayList<>();
        for (PerftestPeer each : mine) {
            // Client and server alternately send and receive one line. If both processes sent all lines before reading
            // any, full TCP buffers could block both processes.
            link.say(each.encode());
            theirs.add(PerftestPeer.decode(link.hear()));
        }
        return theirs;
    }

    private void run(LatencyRun run, int size) throws ToolException, IOException, VerbsException, InterruptedException {
        if (client) {
            report.add(run.measure(size));
        } else {
            run.answer(size);
        }
        link.meet("measured");
    }

    private void run(BandwidthRun run, int size)
            throws ToolException, IOException, VerbsException, InterruptedException {
        BandwidthResult own = run.run(size, client || settings.bidirectional());
        if (settings.bidirectional()) {
            link.say(own.encode());
            own = own.plus(BandwidthResult.decode(size, link.hear()));
        }
        if (client) {
            report.add(own);
        }
    }
}
