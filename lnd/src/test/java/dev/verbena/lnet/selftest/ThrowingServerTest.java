// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.LnetEvents;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** Unchecked exceptions while a server handles a request: it keeps its buffers and its memory. */
class ThrowingServerTest {
    private static final ProcessId CLIENT = ProcessId.of(Nid.parse("10.0.0.1@o2ib"));
    private static final ProcessId SERVER = ProcessId.of(Nid.parse("10.0.0.2@o2ib"));
    private static final int LENGTH = 4096;

    private final Lnet node = mock(Lnet.class);

    @Test
    void aRequestWhoseHandlingThrowsCostsNoBuffer() {
        new RequestBuffers(node, SelftestService.PING, (service, from, request) -> {
            throw new IllegalStateException("a fault");
        });
        ArgumentCaptor<MemoryDescriptor> attached = ArgumentCaptor.forClass(MemoryDescriptor.class);
        verify(node, times(2)).attach(any(), attached.capture());
        MemoryDescriptor full = attached.getValue();

        assertThatThrownBy(() -> full.handler().onEvent(LnetEvents.put(full, CLIENT, SERVER, 16, true)))
                .hasMessage("a fault");

        verify(node, times(3)).attach(any(), any());
    }

    @Test
    void aTransferThatCannotBeStartedKeepsNoMemory() throws VerbsException {
        MemorySegment data = MemorySegment.ofArray(new byte[LENGTH]);
        when(node.allocate(LENGTH)).thenReturn(data);
        when(node.freeMemory()).thenReturn((long) LENGTH);
        when(node.runtime()).thenReturn(new VirtualRuntime(1));
        doThrow(new IllegalStateException("a fault"))
                .doNothing()
                .when(node)
                .put(any(), anyBoolean(), any(), anyInt(), anyLong(), anyLong(), anyLong());
        BulkServer server = new BulkServer(node);
        SelftestServer.Caller caller = new SelftestServer.Caller(CLIENT, ByteOrder.LITTLE_ENDIAN, 1);
        SelftestRequest.Brw read =
                new SelftestRequest.Brw(1, 2, SelftestRequest.Brw.READ, LENGTH, DataCheck.NONE.number());
        List<BulkServer.Result> results = new ArrayList<>();

        assertThatThrownBy(() -> server.move(caller, read, 0, results::add)).hasMessage("a fault");
        verify(node).free(data);
        server.move(caller, read, 0, results::add);

        assertThat(results).as("the second transfer has begun").isEmpty();
        verify(node, times(1)).free(data);
    }
}
