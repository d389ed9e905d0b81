// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.LnetEvents;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory of a server that one client can use, by whichever of its processes. */
class ServerLimitsTest {
    private static final Nid CLIENT = Nid.parse("10.0.0.1@o2ib");
    private static final ProcessId SERVER = ProcessId.of(Nid.parse("10.0.0.2@o2ib"));
    private static final int LENGTH = 4096;
    private static final int MORE = 10;

    private final Lnet node = mock(Lnet.class, withSettings().stubOnly());
    private final List<MemoryDescriptor> attached = new ArrayList<>();
    private final List<MemoryDescriptor> sent = new ArrayList<>();

    private void record() throws VerbsException {
        when(node.runtime()).thenReturn(new VirtualRuntime(1));
        when(node.id()).thenReturn(SERVER);
        when(node.allocate(LENGTH)).thenAnswer(call -> MemorySegment.ofArray(new byte[LENGTH]));
        doAnswer(call -> attached.add(call.getArgument(1))).when(node).attach(any(), any());
        doAnswer(call -> sent.add(call.getArgument(0)))
                .when(node)
                .put(any(), anyBoolean(), any(), anyInt(), anyLong(), anyLong(), anyLong());
    }

    private static ProcessId process(Nid nid, int number) {
        return new ProcessId(nid, number);
    }

    private void ask(ProcessId client) {
        byte[] request = SelftestMessage.encode(
                ByteOrder.LITTLE_ENDIAN, SelftestMessage.FEATURES, new SelftestRequest.Debug(1, SessionId.NONE, 0));
        MemoryDescriptor buffer = attached.getFirst();
        MemorySegment.copy(
                MemorySegment.ofArray(request), 0, buffer.memory().slices().getFirst(), 0, request.length);
        buffer.handler().onEvent(LnetEvents.put(buffer, client, SERVER, request.length, false));
    }

    @Test
    void aClientThatTakesNoAnswersIsAnsweredUpToALimit() throws VerbsException {
        record();
        SelftestServer server = SelftestServer.start(node);
        for (int i = 0; i < SelftestServer.MOST_ANSWERS + MORE; i++) {
            ask(process(CLIENT, i));
        }
        assertThat(sent).hasSize(SelftestServer.MOST_ANSWERS);
        assertThat(server.statistics().dropped()).isEqualTo(MORE);

        ask(process(Nid.parse("10.0.0.3@o2ib"), 1));
        assertThat(sent).as("another client").hasSize(SelftestServer.MOST_ANSWERS + 1);

        MemoryDescriptor first = sent.getFirst();
        first.handler().onEvent(LnetEvents.sent(first, SERVER, SelftestService.REPLY_PORTAL, 1));
        ask(process(CLIENT, 1));
        assertThat(sent).as("an answer has left").hasSize(SelftestServer.MOST_ANSWERS + 2);
    }

    @Test
    void aClientOfManyProcessesHoldsNoMoreMemoryThanAClientOfOne() throws VerbsException {
        record();
        when(node.freeMemory()).thenReturn((long) LENGTH);
        BulkServer server = new BulkServer(node);
        SelftestRequest.Brw read =
                new SelftestRequest.Brw(1, 2, SelftestRequest.Brw.READ, LENGTH, DataCheck.NONE.number());
        List<BulkServer.Result> results = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            server.move(
                    new SelftestServer.Caller(process(CLIENT, i), ByteOrder.LITTLE_ENDIAN, 1), read, 0, results::add);
        }

        assertThat(results).extracting(BulkServer.Result::status).containsExactly(Errno.ENOMEM.number());
    }
}
