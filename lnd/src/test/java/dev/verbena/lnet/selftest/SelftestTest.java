// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.lnet.CoreNode;
import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.selftest.SelftestPlan.Kind;
import dev.verbena.lnet.selftest.SelftestReply.QueryStat;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and driver over LNet without a driver, word by word. */
class SelftestTest {

    private static final SessionId SESSION = new SessionId(Nid.parse("10.0.0.1@o2ib"), 77);
    private static final SessionId OTHER = new SessionId(Nid.parse("10.0.0.1@o2ib"), 78);

    private final CoreNode.Network network = new CoreNode.Network();
    private final CoreNode console = network.join("10.0.0.1@o2ib");
    private final CoreNode node = network.join("10.0.0.2@o2ib");
    private final SelftestServer server = SelftestServer.start(node);
    private final int atRest = node.descriptors();
    private long bits = 1000;

    @AfterEach
    void nothingIsLeft() {
        await(() -> console.descriptors() == 0 && node.descriptors() == atRest && node.allocated() == 0);
        assertThat(console.descriptors()).isZero();
        assertThat(node.descriptors()).isEqualTo(atRest);
        assertThat(console.allocated()).isZero();
        assertThat(node.allocated()).isZero();
        server.close();
        await(() -> node.descriptors() == 0);
        assertThat(node.descriptors()).isZero();
        network.runtime().close();
    }

    private void await(BooleanSupplier condition) {
        try {
            network.runtime().await(condition, Duration.ofMinutes(5));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Rpc.Result ask(SelftestRequest request) {
        return ask(request, null);
    }

    private Rpc.Result ask(SelftestRequest request, Rpc.@Nullable Bulk bulk) {
        List<Rpc.Result> results = new ArrayList<>();
        Rpc.start(console, node.id(), request, bulk, results::add);
        await(() -> !results.isEmpty());
        assertThat(results).hasSize(1);
        return results.getFirst();
    }

    private SelftestRequest make(SessionId session, boolean force) {
        return new SelftestRequest.MakeSession(bits++, session, force, "one");
    }

    private SelftestRequest add(SessionId session, SelftestService service) {
        return new SelftestRequest.AddTest(
                bits++, 0, session, 1, service.number(), 1, 1, false, true, 0, SelftestRequest.BrwParameters.NONE);
    }

    private Rpc.Result brw(int opcode, int length, int check, MemorySegment memory) {
        long answer = bits++;
        boolean reads = opcode == SelftestRequest.Brw.READ;
        Rpc.Bulk bulk = new Rpc.Bulk(memory, bits++, reads);
        return ask(new SelftestRequest.Brw(answer, bulk.bits(), opcode, length, check), bulk);
    }

    private void open() {
        assertThat(ask(make(SESSION, false)).status()).isZero();
        assertThat(ask(add(SESSION, SelftestService.BRW)).status()).isZero();
        assertThat(ask(add(SESSION, SelftestService.PING)).status()).isZero();
    }

    private QueryStat stat() {
        return (QueryStat)
                ask(new SelftestRequest.QueryStat(bits++, SESSION, 0)).reply();
    }

    @Test
    void aSessionIsMadeOnceAndTakenByForce() {
        assertThat(ask(make(SESSION, false)).reply()).isEqualTo(new SelftestReply.MakeSession(0, SESSION, 100, ""));
        assertThat(ask(make(OTHER, false)).reply())
                .isEqualTo(new SelftestReply.MakeSession(Errno.EBUSY.number(), SESSION, 100, "one"));
        assertThat(ask(make(OTHER, true)).reply()).isEqualTo(new SelftestReply.MakeSession(0, OTHER, 100, ""));
        assertThat(ask(new SelftestRequest.RemoveSession(bits++, SESSION)).status())
                .isEqualTo(Errno.EBUSY.number());
        assertThat(ask(new SelftestRequest.RemoveSession(bits++, OTHER)).reply())
                .isEqualTo(new SelftestReply.RemoveSession(0, SessionId.NONE));
        assertThat(ask(new SelftestRequest.RemoveSession(bits++, OTHER)).status())
                .isEqualTo(SelftestStatus.ESRCH);
        assertThat(server.statistics().session()).isFalse();
    }

    @Test
    void aSessionThatWasMadeTwiceIsRemovedTwice() {
        ask(make(SESSION, false));
        ask(make(SESSION, false));
        assertThat(ask(new SelftestRequest.RemoveSession(bits++, SESSION)).reply())
                .isEqualTo(new SelftestReply.RemoveSession(0, SESSION));
        assertThat(ask(new SelftestRequest.RemoveSession(bits++, SESSION)).reply())
                .isEqualTo(new SelftestReply.RemoveSession(0, SessionId.NONE));
    }

    @Test
    void aSessionEndsWhenItsConsoleFallsSilentAndNotBefore() {
        open();
        for (int i = 0; i < 3; i++) {
            pass(Duration.ofSeconds(99));
            assertThat(ask(new SelftestRequest.Debug(bits++, SESSION, 0)).reply())
                    .isEqualTo(new SelftestReply.Debug(0, SESSION, 100, 1, "one"));
        }
        pass(Duration.ofSeconds(101));
        assertThat(ask(new SelftestRequest.Debug(bits++, SESSION, 0)).reply())
                .isEqualTo(new SelftestReply.Debug(SelftestStatus.ESRCH, SessionId.NONE, 0, 0, ""));
        assertThat(server.statistics().expired()).isEqualTo(1);
    }

    private void pass(Duration time) {
        try {
            network.runtime().await(() -> false, time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aConsoleWithUnknownFeaturesGetsTheKnownOnes() {
        byte[] wish = SelftestMessage.encode(
                ByteOrder.nativeOrder(), 0x7f, new SelftestRequest.MakeSession(5, SESSION, false, "one"));
        List<SelftestMessage> answers = new ArrayList<>();
        say(wish, SelftestService.MAKE_SESSION, 5, answers);
        await(() -> !answers.isEmpty());
        assertThat(answers.getFirst().features()).isEqualTo(SelftestMessage.FEATURES);
        assertThat(answers.getFirst().reply())
                .isEqualTo(new SelftestReply.MakeSession(Errno.EPROTO.number(), SessionId.NONE, 0, ""));
    }

    private void say(byte[] request, SelftestService service, long replyBits, List<SelftestMessage> answers) {
        MemorySegment answer = MemorySegment.ofArray(new byte[SelftestMessage.LENGTH]);
        console.attach(
                MatchEntry.on(SelftestService.REPLY_PORTAL).matchBits(replyBits).build(),
                MemoryDescriptor.over(answer)
                        .options(MdOption.OP_PUT)
                        .threshold(1)
                        .handler(event -> {
                            SelftestMessage message = SelftestMessage.decode(answer.toArray(ValueLayout.JAVA_BYTE));
                            if (message != null) {
                                answers.add(message);
                            }
                        })
                        .build());
        console.put(
                MemoryDescriptor.over(MemorySegment.ofArray(request))
                        .threshold(1)
                        .build(),
                false,
                node.id(),
                service.portal(),
                service.number(),
                0,
                0);
    }

    @Test
    void batchesAreKnownByTheirTestsAndHaveNothingToRun() {
        open();
        for (int opcode = SelftestRequest.Batch.RUN; opcode <= SelftestRequest.Batch.QUERY; opcode++) {
            assertThat(ask(new SelftestRequest.Batch(bits++, SESSION, 1, opcode, 0, 0))
                            .reply())
                    .isEqualTo(new SelftestReply.Batch(0, SESSION, 0, 0));
        }
        assertThat(ask(new SelftestRequest.Batch(bits++, SESSION, 1, 9, 0, 0)).status())
                .isEqualTo(Errno.EINVAL.number());
        assertThat(ask(new SelftestRequest.Batch(bits++, SESSION, 2, 1, 0, 0)).status())
                .isEqualTo(Errno.ENOENT.number());
        assertThat(ask(new SelftestRequest.Batch(bits++, OTHER, 1, 1, 0, 0)).status())
                .isEqualTo(SelftestStatus.ESRCH);
    }

    @Test
    void testsAreRefusedThatCannotBe() {
        assertThat(ask(add(SESSION, SelftestService.BRW)).status()).isEqualTo(Errno.ENOENT.number());
        ask(make(SESSION, false));
        assertThat(ask(add(SESSION, SelftestService.BATCH)).status()).isEqualTo(Errno.ENOENT.number());
        SelftestRequest client = new SelftestRequest.AddTest(
                bits++, bits++, SESSION, 1, 11, 1, 1, true, false, 1, SelftestRequest.BrwParameters.NONE);
        assertThat(ask(client).status()).isEqualTo(Errno.EOPNOTSUPP.number());
        SelftestRequest idle = new SelftestRequest.AddTest(
                bits++, 0, SESSION, 1, 11, 0, 1, false, false, 0, SelftestRequest.BrwParameters.NONE);
        assertThat(ask(idle).status()).isEqualTo(Errno.EINVAL.number());
    }

    @Test
    void aSessionKeepsABoundedNumberOfBatches() {
        open();
        for (long batch = 2; batch <= Session.MOST_BATCHES; batch++) {
            assertThat(ask(addTo(batch)).status()).isZero();
        }
        assertThat(ask(addTo(Session.MOST_BATCHES + 1)).status()).isEqualTo(Errno.ENOMEM.number());
        assertThat(ask(addTo(Session.MOST_BATCHES)).status()).isZero();
    }

    private SelftestRequest addTo(long batch) {
        return new SelftestRequest.AddTest(
                bits++, 0, SESSION, batch, 11, 1, 1, false, true, 0, SelftestRequest.BrwParameters.NONE);
    }

    @Test
    void pingsAreAnsweredWithTheirNumberWithinASession() {
        SelftestRequest early = new SelftestRequest.Ping(bits++, SelftestRequest.Ping.MAGIC, 3, 0, 0);
        assertThat(ask(early).status()).isEqualTo(SelftestStatus.ESRCH);
        open();
        assertThat(ask(new SelftestRequest.Ping(bits++, SelftestRequest.Ping.MAGIC, 3, 0, 0))
                        .reply())
                .isEqualTo(new SelftestReply.Ping(0, SelftestRequest.Ping.MAGIC, 3));
        assertThat(ask(new SelftestRequest.Ping(bits++, 17, 3, 0, 0)).status()).isEqualTo(Errno.EINVAL.number());
        assertThat(stat().framework().pingErrors()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"8, 3", "3976, 2", "4096, 3", "5008, 2", "1048576, 3", "1048576, 1"})
    void dataIsMovedBothWaysAndCounted(int length, int number) {
        open();
        DataCheck check = DataCheck.numbered(number);
        MemorySegment memory = MemorySegment.ofArray(new byte[length]);
        assertThat(brw(SelftestRequest.Brw.READ, length, number, memory).status())
                .isZero();
        assertThat(check.firstWrong(memory, ByteOrder.nativeOrder())).isEqualTo(-1);
        assertThat(brw(SelftestRequest.Brw.WRITE, length, number, memory).status())
                .isZero();
        QueryStat stat = stat();
        assertThat(stat.rpc().bulkGetBytes()).isEqualTo(length);
        assertThat(stat.rpc().bulkPutBytes()).isEqualTo(length);
        assertThat(stat.framework().brwErrors()).isZero();
        assertThat(stat.lnet().received()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"64, 3", "4096, 3", "8192, 2", "1048576, 3"})
    void dataThatIsSpoiledIsFound(int length, int check) {
        open();
        MemorySegment memory = MemorySegment.ofArray(new byte[length]);
        DataCheck.FULL.fill(memory, ByteOrder.nativeOrder());
        memory.set(ValueLayout.JAVA_BYTE, length - 1L, (byte) 1);
        assertThat(brw(SelftestRequest.Brw.WRITE, length, check, memory).status())
                .isEqualTo(SelftestStatus.EBADMSG);
        assertThat(stat().framework().brwErrors()).isEqualTo(1);
        assertThat(server.statistics().corrupt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 3", "1, 12, 3", "1, 1048584, 3", "3, 4096, 3", "2, 4096, 0", "1, 4096, 5", "2, -8, 3"})
    void transfersAreRefusedThatCannotBe(int opcode, int length, int check) {
        open();
        assertThat(brw(opcode, length, check, MemorySegment.ofArray(new byte[4096]))
                        .status())
                .isEqualTo(Errno.EINVAL.number());
    }

    @Test
    void aServerWithoutMemoryReportsIt() {
        open();
        node.room(0);
        assertThat(brw(SelftestRequest.Brw.READ, 4096, 3, MemorySegment.ofArray(new byte[4096]))
                        .status())
                .isEqualTo(Errno.ENOMEM.number());
    }

    /** A client that offers no memory, or too little, costs the server only time. */
    @Test
    void dataWithoutAReceiverEndsByTimeout() {
        open();
        Rpc.Result lost = ask(new SelftestRequest.Brw(bits++, 0x9999, SelftestRequest.Brw.WRITE, 64, 3));
        assertThat(lost.status()).isEqualTo(Errno.ETIMEDOUT.number());
        Rpc.Result none = ask(new SelftestRequest.Brw(bits++, 0x9999, SelftestRequest.Brw.WRITE, 65536, 3));
        assertThat(none.status()).isEqualTo(Errno.ENODATA.number());
    }

    @Test
    void anUnreadableRequestIsDroppedAndCounted() {
        byte[] wrongPortal =
                SelftestMessage.encode(ByteOrder.nativeOrder(), 1, new SelftestRequest.Debug(bits++, SESSION, 0));
        console.put(
                MemoryDescriptor.over(MemorySegment.ofArray(wrongPortal))
                        .threshold(1)
                        .build(),
                false,
                node.id(),
                SelftestService.TEST_PORTAL,
                SelftestService.PING.number(),
                0,
                0);
        console.put(
                MemoryDescriptor.over(MemorySegment.ofArray(new byte[7]))
                        .threshold(1)
                        .build(),
                false,
                node.id(),
                SelftestService.FRAMEWORK_PORTAL,
                0,
                0,
                0);
        await(() -> server.statistics().dropped() == 2);
        assertThat(server.statistics().dropped()).isEqualTo(2);
        assertThat(server.statistics().received()).isZero();
    }

    @Test
    void moreRequestsAreTakenThanTheBuffersHold() {
        open();
        int many = 1500;
        List<Rpc.Result> results = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            Rpc.start(
                    console,
                    node.id(),
                    new SelftestRequest.Ping(bits++, SelftestRequest.Ping.MAGIC, i, 0, 0),
                    null,
                    results::add);
            if (i % 250 == 249) {
                int so = i + 1;
                await(() -> results.size() == so);
            }
        }
        await(() -> results.size() == many);
        assertThat(results).hasSize(many).allMatch(result -> result.status() == 0);
    }

    @Test
    void aRequestThatCannotBeSentLeavesNothingAttached() throws InterruptedException {
        List<Rpc.Result> results = new ArrayList<>();
        Rpc.Bulk bulk = new Rpc.Bulk(MemorySegment.ofArray(new byte[8]), bits++, true);
        Lnet unable = (Lnet) Proxy.newProxyInstance(
                Lnet.class.getClassLoader(), new Class<?>[] {Lnet.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("put")) {
                        throw new IllegalArgumentException("no way to the server");
                    }
                    return method.invoke(console, arguments);
                });
        SelftestRequest request =
                new SelftestRequest.Brw(bits++, bulk.bits(), SelftestRequest.Brw.READ, 8, DataCheck.NONE.number());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rpc.start(unable, node.id(), request, bulk, results::add))
                .withMessage("no way to the server");

        assertThat(network.runtime().await(() -> console.descriptors() == 0, Duration.ofSeconds(1)))
                .as("without waiting for the timeout of the request")
                .isTrue();
        assertThat(results).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"PING, 0", "READ, 8", "READ, 1048576", "WRITE, 5008", "WRITE, 1048576"})
    void aRunTestsANodeAndLeavesIt(Kind kind, int size) throws VerbsException {
        SelftestRun run = SelftestRun.start(
                console,
                SelftestPlan.builder(node.id(), kind)
                        .size(size)
                        .concurrency(3)
                        .loop(5)
                        .build());
        await(run::isOver);
        SelftestProgress progress = run.progress();
        assertThat(progress.complaints()).isEmpty();
        assertThat(progress.isGood()).isTrue();
        assertThat(progress.done()).isEqualTo(15);
        assertThat(progress.bytes()).isEqualTo(15L * size);
        assertThat(server.statistics().session()).isFalse();
    }

    @Test
    void aRunReportsTheOwnerOfAnotherSession() throws VerbsException {
        ask(make(SESSION, false));
        SelftestPlan plan = SelftestPlan.builder(node.id(), Kind.PING)
                .check(DataCheck.NONE)
                .loop(1)
                .build();
        SelftestRun run = SelftestRun.start(console, plan);
        await(run::isOver);
        assertThat(run.progress().complaints()).singleElement().asString().contains("EBUSY", "\"one\"", "10.0.0.1");
        assertThat(run.progress().isGood()).isFalse();
        SelftestRun forced = SelftestRun.start(
                console,
                SelftestPlan.builder(node.id(), Kind.PING)
                        .check(DataCheck.NONE)
                        .loop(1)
                        .force(true)
                        .build());
        await(forced::isOver);
        assertThat(forced.progress().isGood()).isTrue();
    }

    @Test
    void twoRunsOfOneInstantHaveSessionsAndMatchBitsOfTheirOwn() throws VerbsException {
        SelftestPlan plan = SelftestPlan.builder(node.id(), Kind.READ)
                .size(4096)
                .concurrency(2)
                .loop(20)
                .build();
        SelftestRun first = SelftestRun.start(console, plan);
        SelftestRun second = SelftestRun.start(console, plan);
        await(() -> first.isOver() && second.isOver());
        assertThat(first.progress().isGood()).isTrue();
        assertThat(second.progress().complaints()).singleElement().asString().contains("EBUSY");
    }

    @Test
    void aClientReleasesAllMemoryThatItAllocates() throws VerbsException {
        open();
        node.freeMemory(8 * 4096 - 1);
        assertThat(brw(
                                SelftestRequest.Brw.READ,
                                8 * 4096,
                                DataCheck.NONE.number(),
                                MemorySegment.ofArray(new byte[8 * 4096]))
                        .status())
                .isEqualTo(Errno.ENOMEM.number());
        node.freeMemory(8 * 4096);
        assertThat(brw(
                                SelftestRequest.Brw.READ,
                                8 * 4096,
                                DataCheck.NONE.number(),
                                MemorySegment.ofArray(new byte[8 * 4096]))
                        .status())
                .isZero();

        node.freeMemory(2 * 4096);
        List<Rpc.Result> results = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long answer = bits++;
            Rpc.Bulk bulk = new Rpc.Bulk(MemorySegment.ofArray(new byte[4096]), bits++, true);
            Rpc.start(
                    console,
                    node.id(),
                    new SelftestRequest.Brw(
                            answer, bulk.bits(), SelftestRequest.Brw.READ, 4096, DataCheck.NONE.number()),
                    bulk,
                    results::add);
        }
        await(() -> results.size() == 3);
        assertThat(results).filteredOn(result -> result.status() == 0).hasSize(2);
        assertThat(results)
                .filteredOn(result -> result.status() == Errno.ENOMEM.number())
                .hasSize(1);
    }

    @Test
    void aRunWithoutAServerEndsWithAComplaint() throws VerbsException {
        CoreNode silent = network.join("10.0.0.3@o2ib");
        SelftestRun run = SelftestRun.start(
                console,
                SelftestPlan.builder(silent.id(), Kind.READ)
                        .size(4096)
                        .concurrency(2)
                        .loop(1)
                        .build());
        await(run::isOver);
        assertThat(run.progress().complaints()).singleElement().asString().contains("no session", "ETIMEDOUT");
        assertThat(silent.descriptors()).isZero();
    }

    @Test
    void aRunThatLosesItsServerEndsWithComplaints() throws VerbsException {
        SelftestRun run = SelftestRun.start(
                console,
                SelftestPlan.builder(node.id(), Kind.WRITE)
                        .size(64)
                        .concurrency(2)
                        .loop(1000)
                        .stopOnError(false)
                        .build());
        await(() -> run.progress().done() > 10);
        ask(make(SESSION, true));
        await(run::isOver);
        SelftestProgress progress = run.progress();
        assertThat(progress.isGood()).isFalse();
        assertThat(progress.errors()).isBetween(1L, 2 * 4L + 2);
        assertThat(progress.complaints()).anyMatch(text -> text.contains("ENOENT"));
    }

    @Test
    void aRunWithoutMemoryDoesNotStart() {
        console.room(2);
        SelftestPlan plan = SelftestPlan.builder(node.id(), Kind.READ)
                .size(4096)
                .concurrency(3)
                .loop(1)
                .build();
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> SelftestRun.start(console, plan));
    }
}
