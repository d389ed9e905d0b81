// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Guice;
import com.google.inject.Injector;
import dev.verbena.cli.network.CloseStack;
import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.FabricModule;
import dev.verbena.cli.network.NodePair;
import dev.verbena.cli.network.NodesModule;
import dev.verbena.cli.network.RuntimeModule;
import dev.verbena.cli.transfer.Control.Conversation;
import dev.verbena.cli.transfer.Control.Word;
import dev.verbena.fault.FaultPlan;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.ping.PingResponder;
import dev.verbena.lnet.ping.Pinger;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Clients of a keeper that stop in the middle, repeat their words or send them late: each of them affects only its own
 * transfer.
 */
class FileKeeperTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long MESSAGE = 1 << 16;
    private static final byte[] NOTHING = {};

    private final CloseStack open = new CloseStack();
    private LnetNode client;
    private LnetNode server;
    private Control control;

    @BeforeEach
    void start() {
        Injector injector = Guice.createInjector(
                new RuntimeModule(OptionalLong.empty()),
                new FabricModule(FaultPlan.none(), Optional.empty(), Optional.empty()),
                new DevicesModule(Optional.empty()),
                new NodesModule());
        CloseStack resources = injector.getInstance(CloseStack.class);
        open.add(resources, resources);
        NodePair nodes = injector.getInstance(NodePair.class);
        open.add(nodes, () -> {
            try {
                nodes.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        client = nodes.initiator();
        server = nodes.target();
        control = new Control(client);
    }

    @AfterEach
    void close() throws Exception {
        open.close();
    }

    private void keeper(Duration stall) {
        keeper(1L << 30, FileKeeper.EXPIRY, stall);
    }

    private void keeper(long quota, Duration expiry, Duration stall) {
        FileKeeper keeper = new FileKeeper(server, quota, expiry, stall);
        open.add(keeper, keeper);
    }

    private void isRefused(String name, long size) throws Exception {
        try (Conversation with = keep(name, size)) {
            assertThat(with.await(LONG, Word.READY, Word.REFUSED).is(Word.REFUSED))
                    .isTrue();
        }
    }

    private Conversation keep(String name, long size) throws Exception {
        Conversation with = control.begin(server.id(), Transaction.draw());
        with.say(Word.KEEP, Offer.encode(size, MESSAGE), name.getBytes(StandardCharsets.UTF_8), LONG);
        return with;
    }

    private Conversation fetch(String name) throws Exception {
        Conversation with = control.begin(server.id(), Transaction.draw());
        with.say(Word.FETCH, 0, name.getBytes(StandardCharsets.UTF_8), LONG);
        return with;
    }

    private void put(Conversation with, DataSource source) throws Exception {
        new PutTransfer(client, server.id(), with.transaction(), source, Sections.of(MESSAGE, Sections.LIMIT), MESSAGE)
                .run(moved -> {});
    }

    private static String digest(Conversation with) throws Exception {
        return HexFormat.of().formatHex(with.await(LONG, Word.DIGEST).payload());
    }

    private void putsWell(String name, long size) throws Exception {
        DataSource source = new GeneratedData(size);
        try (Conversation with = keep(name, size)) {
            with.await(LONG, Word.READY);
            put(with, source);
            with.say(Word.DONE, 0, NOTHING, LONG);
            assertThat(digest(with)).isEqualTo(Sha256.of(source, read -> {}));
        }
    }

    @Test
    void allFilesTogetherStayWithinTheQuota() throws Exception {
        keeper(3 * MESSAGE, FileKeeper.EXPIRY, LONG);
        putsWell("one", 2 * MESSAGE);
        isRefused("two", 2 * MESSAGE);
        try (Conversation promised = keep("two", MESSAGE)) {
            promised.await(LONG, Word.READY);
            isRefused("three", 1);
        }
    }

    @Test
    void anExpiredFileMakesRoom() throws Exception {
        keeper(3 * MESSAGE, Duration.ZERO, LONG);
        putsWell("one", 2 * MESSAGE);
        putsWell("two", 2 * MESSAGE);
    }

    @Test
    void anExpiredFileIsNotServed() throws Exception {
        keeper(3 * MESSAGE, Duration.ZERO, LONG);
        putsWell("one", MESSAGE);
        try (Conversation fetch = fetch("one")) {
            assertThat(fetch.await(LONG, Word.READY, Word.REFUSED).is(Word.REFUSED))
                    .isTrue();
        }
    }

    @Test
    void aReplacedFileCountsUntilItsFetchEnds() throws Exception {
        keeper(3 * MESSAGE, FileKeeper.EXPIRY, LONG);
        putsWell("file", MESSAGE);
        try (Conversation fetch = fetch("file")) {
            fetch.await(LONG, Word.READY);
            putsWell("file", MESSAGE);
            isRefused("other", 2 * MESSAGE);
            fetch.say(Word.DONE, 0, NOTHING, LONG);
            digest(fetch);
        }
        putsWell("other", 2 * MESSAGE);
    }

    @Test
    void clientsThatStopInTheMiddleDelayNoOther() throws Exception {
        keeper(Transfer.STALL);
        List<Conversation> stopped = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Conversation with = keep("stopped " + i, 10 * MESSAGE);
            with.await(LONG, Word.READY);
            stopped.add(with);
        }
        putsWell("good", 5 * MESSAGE + 1);
        // Further ones of the same peer are refused until the first have ended.
        stopped.add(keep("stopped 3", 1));
        stopped.get(3).await(LONG, Word.READY);
        try (Conversation tooMany = keep("one too many", 1)) {
            tooMany.await(LONG, Word.REFUSED);
        }
        // Without its data a file is not stored.
        stopped.getFirst().say(Word.DONE, 0, NOTHING, LONG);
        stopped.getFirst().await(LONG, Word.REFUSED);
        stopped.forEach(Conversation::close);
    }

    /** Pings change the counters of the node, but move no byte of the transfer. */
    @Test
    void aClientThatStoppedIsGivenUpWhileOthersPing() throws Exception {
        keeper(Duration.ofMillis(300));
        AtomicBoolean over = new AtomicBoolean();
        try (PingResponder _ = PingResponder.start(server);
                Conversation dead = keep("dead", 10 * MESSAGE)) {
            dead.await(LONG, Word.READY);
            CompletableFuture<Void> pings = CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    CompletableFuture<Pinger.Result> answer = new CompletableFuture<>();
                    Pinger.ping(client, server.id(), LONG, answer::complete);
                    answer.join();
                }
            });
            dead.await(LONG, Word.REFUSED);
            over.set(true);
            pings.join();
        }
        putsWell("good", 1);
    }

    /** A DONE that is sent twice, or after its transfer failed, ends no later transfer. */
    @Test
    void aStaleDoneEndsNoLaterTransfer() throws Exception {
        keeper(Duration.ofMillis(300));
        Conversation given = keep("given up", 10 * MESSAGE);
        given.await(LONG, Word.READY);
        given.await(LONG, Word.REFUSED);
        for (int i = 0; i < 4; i++) {
            DataSource source = new GeneratedData(3 * MESSAGE + i);
            try (Conversation with = keep("file", source.size())) {
                given.say(Word.DONE, 0, NOTHING, LONG);
                with.await(LONG, Word.READY);
                given.say(Word.DONE, 0, NOTHING, LONG);
                put(with, source);
                with.say(Word.DONE, 0, NOTHING, LONG);
                with.say(Word.DONE, 0, NOTHING, LONG);
                assertThat(digest(with)).isEqualTo(Sha256.of(source, read -> {}));
            }
        }
        given.close();
    }

    @Test
    void aFileThatIsReplacedWhileItIsFetchedIsFetchedWhole() throws Exception {
        keeper(Transfer.STALL);
        putsWell("file", 4 * MESSAGE);
        try (Conversation with = fetch("file")) {
            Offer offer = Offer.decode(with.await(LONG, Word.READY).number());
            putsWell("file", 7);
            try (FileData fetched = FileData.temporary(offer.size())) {
                new GetTransfer(
                                client,
                                server.id(),
                                with.transaction(),
                                fetched,
                                Sections.of(offer.messageSize(), Sections.LIMIT),
                                offer.messageSize())
                        .run(moved -> {});
                with.say(Word.DONE, 0, NOTHING, LONG);
                assertThat(digest(with)).isEqualTo(Sha256.of(fetched, read -> {}));
                assertThat(offer.size()).isEqualTo(4 * MESSAGE);
            }
        }
    }

    /** The open temporary files; they no longer have a name in their directory. */
    private static long openTemporaryFiles() throws IOException {
        long count = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                if (Files.isSymbolicLink(descriptor)
                        && Files.readSymbolicLink(descriptor).toString().contains("/verbena-")) {
                    count++;
                }
            }
        }
        return count;
    }

    /** The program has a wildcard entry on the keeper's portal, beside which LNet accepts no entries for single processes. */
    @Test
    void aTransferThatCannotBeOfferedLeavesNoFile() throws Exception {
        server.attach(
                MatchEntry.on(Store.PORTAL).build(),
                MemoryDescriptor.over(MemorySegment.ofArray(new byte[1]))
                        .options(MdOption.OP_PUT)
                        .build());
        keeper(LONG);
        long before = openTemporaryFiles();
        try (Conversation with = keep("refused", MESSAGE)) {
            with.await(LONG, Word.REFUSED);
        }
        // Files of earlier tests may have been closed meanwhile.
        assertThat(openTemporaryFiles()).isLessThanOrEqualTo(before);
    }
}
