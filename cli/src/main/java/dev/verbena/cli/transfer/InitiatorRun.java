// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import dev.verbena.cli.network.NodesModule;
import dev.verbena.cli.network.UdpNetwork;
import dev.verbena.cli.output.Endpoints;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.transfer.Control.Conversation;
import dev.verbena.cli.transfer.Control.Word;
import dev.verbena.cli.transfer.DemoOutcome.Digests;
import dev.verbena.cli.transfer.DemoOutcome.Leg;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.ProcessId;
import dev.verbena.verbs.VerbsException;
import jakarta.inject.Provider;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;

/** Runs node A of a two-process demo: node A PUTs all data to node B, GETs the data back, and compares the copies. */
final class InitiatorRun {
    /** How long node A waits while node B reads all data to compute its digest. */
    private static final Duration DIGEST_TIME = Duration.ofMinutes(10);

    private static final byte[] NOTHING = {};

    private final Provider<LnetNode> starter;
    private final LegTimer timer;
    private final UdpNetwork network;
    private final Duration patience;

    /**
     * Node A of the demo uses the LNet node that {@code starter.get()} returns. Node A waits at most {@code patience} for
     * the LNet ACK of its HELLO, and then at most {@code patience} for node B's READY.
     */
    InitiatorRun(Provider<LnetNode> starter, LegTimer timer, UdpNetwork network, Duration patience) {
        this.starter = starter;
        this.timer = timer;
        this.network = network;
        this.patience = patience;
    }

    Outcome run(DataSource source, long messageSize, ProgressBar progress)
            throws IOException, VerbsException, DemoException, InterruptedException {
        FileData.checkRoom(source.size(), 1);
        String sourceDigest = Sha256.of("SHA-256 of the source", source, progress);
        Sections sections = Sections.of(messageSize, Sections.LIMIT);
        ProcessId peer = ProcessId.of(NodesModule.nid(network.target()));
        try (FileData fetched = FileData.temporary(source.size());
                LnetNode node = starter.get()) {
            Conversation with = new Control(node).begin(peer, Transaction.draw());
            greet(with, Offer.encode(source.size(), messageSize));
            Transaction transaction = with.transaction();
            Leg put = timer.measure(
                    new PutTransfer(node, peer, transaction, source, sections, messageSize), source.size(), progress);
            Leg get = timer.measure(
                    new GetTransfer(node, peer, transaction, fetched, sections, messageSize), source.size(), progress);
            with.say(Word.DONE, 0, NOTHING, Transfer.STALL);
            String stored = HexFormat.of()
                    .formatHex(with.await(DIGEST_TIME, Word.DIGEST).payload());
            // Node A's LNet ACK of the last message from node B may still wait for a retransmission. If node A closed
            // its connection now, node B would never receive the LNet ACK.
            node.runtime().await(() -> node.held().isEmpty(), TargetRun.ANSWER_TIME);
            String back = Sha256.of("SHA-256 of the data that A fetched", fetched, progress);
            return new Outcome(new Digests(sourceDigest, stored, back), put, get);
        }
    }

    private void greet(Conversation with, long offer) throws DemoException, InterruptedException {
        try {
            with.say(Word.HELLO, offer, NOTHING, patience);
            with.await(patience, Word.READY);
        } catch (DemoException e) {
            throw new DemoException(
                    e,
                    "; start 'verbena demo --fabric udp --role target' first, and set --peer to its"
                            + " address, now "
                            + Endpoints.format(network.targetAt()));
        }
    }

    /**
     * The results of a PUT transfer and a GET transfer, and three SHA-256 digests: one of the source data, one of node
     * B's copy, and one of the copy that node A read back.
     */
    record Outcome(Digests digests, Leg put, Leg get) {}
}
