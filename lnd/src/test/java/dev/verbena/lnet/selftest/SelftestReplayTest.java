// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnet.CapturedPuts;
import dev.verbena.lnet.CapturedPuts.Put;
import dev.verbena.lnet.CoreNode;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.selftest.SelftestRequest.Brw;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends the captured requests of consoles and clients to the server; its answers equal those of the real node byte for
 * byte.
 */
class SelftestReplayTest {

    private static final int STAT = 44;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final CoreNode.Network network = new CoreNode.Network();
    private final CoreNode console = network.join("10.77.0.2@o2ib");
    private final CoreNode node = network.join("10.77.0.3@o2ib");

    static List<String> files() {
        return Captures.expected().keySet().stream()
                .filter(file -> CapturedPuts.of(file).stream().anyMatch(SelftestReplayTest::isRequest))
                .toList();
    }

    private static boolean isRequest(Put put) {
        return put.portal() == SelftestService.TEST_PORTAL || put.portal() == SelftestService.FRAMEWORK_PORTAL;
    }

    @ParameterizedTest
    @MethodSource("files")
    void ourServerAnswersAsTheRealOneDid(String file) throws InterruptedException {
        List<Put> puts = CapturedPuts.of(file);
        Map<Long, byte[]> answers = new HashMap<>();
        puts.stream()
                .filter(put ->
                        put.portal() == SelftestService.REPLY_PORTAL && put.payload().length == SelftestMessage.LENGTH)
                .forEach(put -> answers.put(put.matchBits(), put.payload()));
        int compared = 0;
        try (SelftestServer server = SelftestServer.start(node)) {
            for (Put put : puts) {
                if (isRequest(put)) {
                    compared += compare(put, answers);
                }
            }
            assertThat(server.statistics().dropped()).isZero();
        }
        assertThat(compared).isPositive();
        network.runtime().close();
    }

    /** Sends a request, and compares the answer if the capture has one. */
    private int compare(Put put, Map<Long, byte[]> answers) throws InterruptedException {
        SelftestMessage message = Objects.requireNonNull(SelftestMessage.decode(put.payload()));
        SelftestRequest request = Objects.requireNonNull(message.request());
        assertThat(put.matchBits()).isEqualTo(request.service().number());
        List<byte[]> heard = new ArrayList<>();
        MemorySegment answer = MemorySegment.ofArray(new byte[SelftestMessage.LENGTH]);
        offer(answer, request.replyBits(), MdOption.OP_PUT, () -> heard.add(answer.toArray(ValueLayout.JAVA_BYTE)));
        MemorySegment data = request instanceof Brw brw ? offer(brw) : MemorySegment.NULL;
        console.put(
                MemoryDescriptor.over(MemorySegment.ofArray(put.payload()))
                        .threshold(1)
                        .build(),
                false,
                node.id(),
                put.portal(),
                put.matchBits(),
                0,
                0);
        network.runtime().await(() -> !heard.isEmpty(), LONG);
        assertThat(heard).as("%s", request).hasSize(1);
        if (request instanceof Brw brw) {
            assertThat(DataCheck.numbered(brw.check()).firstWrong(data, ByteOrder.LITTLE_ENDIAN))
                    .as("%s", request)
                    .isEqualTo(-1);
        }
        byte[] real = answers.get(request.replyBits());
        if (real == null) {
            return 0;
        }
        // The counters of a node's past differ from node to node.
        int length = request instanceof SelftestRequest.QueryStat ? STAT : SelftestMessage.LENGTH;
        assertThat(Arrays.copyOf(heard.getFirst(), length)).as("%s", request).isEqualTo(Arrays.copyOf(real, length));
        return 1;
    }

    private MemorySegment offer(Brw brw) {
        MemorySegment data = MemorySegment.ofArray(new byte[brw.length()]);
        boolean reads = brw.opcode() == Brw.READ;
        if (!reads) {
            DataCheck.numbered(brw.check()).fill(data, ByteOrder.LITTLE_ENDIAN);
        }
        offer(data, brw.bulkBits(), reads ? MdOption.OP_PUT : MdOption.OP_GET, () -> {});
        return data;
    }

    private void offer(MemorySegment memory, long bits, MdOption operation, Runnable ended) {
        console.attach(
                MatchEntry.on(SelftestService.REPLY_PORTAL).matchBits(bits).build(),
                MemoryDescriptor.over(memory)
                        .options(operation)
                        .threshold(1)
                        .handler(event -> ended.run())
                        .build());
    }
}
