// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

/** The MADs of QP1. */
class GsiPortTest {
    @Test
    void theAcknowledgementsThatAPortHoldsAreSentBeforeAMad() throws VerbsException {
        AtomicReference<FabricPort> port = new AtomicReference<>();
        try (Lab lab = new Lab(new VirtualRuntime(1), plain -> recording(plain, port));
                Arena arena = Arena.ofConfined()) {
            Node node = lab.node("sim0", "192.0.2.1");
            MemorySegment mad = arena.allocate(256);
            node.simDevice().madPort().send(node.address(), node.address(), mad);
            InOrder order = inOrder(port.get());
            order.verify(port.get()).drain();
            order.verify(port.get()).add(any());
            order.verify(port.get()).flush();
        }
    }

    @Test
    void aMadIsCountedWithItsBytesBySenderAndReceiver() throws VerbsException {
        try (Lab lab = new Lab();
                Arena arena = Arena.ofConfined()) {
            Node sender = lab.node("sim0", "192.0.2.1");
            Node receiver = lab.node("sim1", "192.0.2.2");
            receiver.simDevice().madPort().receiver((from, to, mad) -> {});
            sender.simDevice().madPort().send(sender.address(), receiver.address(), arena.allocate(256));
            lab.settle();
            assertThat(receiver.count(Counter.RCVD_PKTS)).isEqualTo(1);
            assertThat(receiver.count(Counter.RCVD_BYTES)).isPositive().isEqualTo(sender.count(Counter.SENT_BYTES));
        }
    }

    private static Fabric recording(Fabric plain, AtomicReference<FabricPort> port) {
        Fabric fabric = mock(Fabric.class, delegatesTo(plain));
        try {
            doAnswer(call -> {
                        FabricPort real = plain.attach(call.getArgument(0), call.getArgument(1), call.getArgument(2));
                        port.set(mock(FabricPort.class, delegatesTo(real)));
                        return port.get();
                    })
                    .when(fabric)
                    .attach(any(), any(), any());
        } catch (VerbsException e) {
            throw new IllegalStateException(e);
        }
        return fabric;
    }
}
