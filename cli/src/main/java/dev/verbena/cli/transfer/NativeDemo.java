// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import com.google.inject.ProvisionException;
import dev.verbena.cli.network.NodePair;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.tools.InstalledDevices;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.time.InstantSource;
import picocli.CommandLine;

/** Runs the demo over RDMA devices of this machine. Both nodes run in this process, each on its own device. */
public record NativeDemo(VerbsProvider provider, InetAddress first, InetAddress second) {
    public boolean run(DataSource source, long messageSize, CommandLine commandLine)
            throws IOException, VerbsException, DemoException, ToolException, InterruptedException {
        InstalledDevices.of(provider);
        InstantSource wall = InstantSource.system();
        ProgressBar progress = new ProgressBar(commandLine.getErr(), ProgressBar.isTerminal(), wall);
        DemoOutcome outcome = new DemoRun(this::start, provider.runtime(), new LegTimer(provider.runtime(), wall))
                .run(source, messageSize, progress);
        new DemoTables(provider.runtime()).print(outcome, commandLine.getOut());
        commandLine.getOut().flush();
        return outcome.isGood();
    }

    private NodePair start() {
        try {
            return NodePair.of(() -> node(first), () -> node(second));
        } catch (VerbsException refused) {
            throw new ProvisionException("a node cannot be started", refused);
        }
    }

    private LnetNode node(InetAddress address) throws VerbsException {
        return LnetNode.start(provider, address, Nid.parse(address.getHostAddress() + "@o2ib"));
    }
}
