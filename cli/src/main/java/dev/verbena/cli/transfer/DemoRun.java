// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.network.NodePair;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.transfer.DemoOutcome.Digests;
import dev.verbena.cli.transfer.DemoOutcome.Leg;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.ProcessId;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import java.io.IOException;
import java.time.Duration;

/**
 * Runs both nodes of a demo. Node A PUTs all data to node B and GETs the data back. The outcome of the demo contains the
 * SHA-256 digests of the original data and of the two copies. The measured times do not include the computation of the
 * digests: the source's digest is computed before the transfers, and the copies' digests are computed after the transfers.
 */
final class DemoRun {
    /** How long the demo waits until all credits are returned. */
    private static final Duration REST = Duration.ofSeconds(10);

    /** The demo writes two files: a copy of the data on node B, and the copy that node A fetches back. */
    private static final int COPIES = 2;

    private final Provider<NodePair> starter;
    private final VerbsRuntime runtime;
    private final LegTimer timer;

    @Inject
    DemoRun(Provider<NodePair> starter, VerbsRuntime runtime, LegTimer timer) {
        this.starter = starter;
        this.runtime = runtime;
        this.timer = timer;
    }

    /**
     * Runs both transfers of the demo, and returns the outcome. The parameter {@code messageSize} is the payload of a
     * message, from 1 byte to 1 MiB. Throws {@link IOException} if the disk has no free space for two copies of the data.
     * Throws {@link DemoException} if a message fails, or no message completes within {@link Transfer#STALL}.
     */
    DemoOutcome run(DataSource source, long messageSize, ProgressBar progress)
            throws IOException, VerbsException, DemoException, InterruptedException {
        FileData.checkRoom(source.size(), COPIES);
        Sections sections = Sections.of(messageSize, Sections.LIMIT);
        String sourceDigest = Sha256.of("SHA-256 of the source", source, progress);
        try (Store store = new Store(source.size(), messageSize, sections);
                FileData fetched = FileData.temporary(source.size());
                NodePair nodes = starter.get()) {
            // A demo in one process uses only one transaction id, so the constant 0 is unique. With a random
            // transaction id, two demos with the same seed would have different packet hashes.
            Transaction transaction = new Transaction(0);
            store.offer(nodes.target(), nodes.initiator().id(), transaction);
            LnetNode initiator = nodes.initiator();
            ProcessId target = nodes.target().id();
            Leg put = timer.measure(
                    new PutTransfer(initiator, target, transaction, source, sections, messageSize),
                    source.size(),
                    progress);
            Leg get = timer.measure(
                    new GetTransfer(initiator, target, transaction, fetched, sections, messageSize),
                    source.size(),
                    progress);
            runtime.await(
                    () -> Credits.atRest(
                            nodes.initiator().statistics(), nodes.target().statistics()),
                    REST);
            return new DemoOutcome(
                    new Digests(
                            sourceDigest,
                            Sha256.of("SHA-256 of the copy of B", store, progress),
                            Sha256.of("SHA-256 of the data that A fetched", fetched, progress)),
                    put,
                    get,
                    nodes.initiator().statistics(),
                    nodes.target().statistics());
        }
    }
}
