// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer can neither use another node's memory grants nor answer in its name: it must name itself as the source. */
class ForgedSourceTest {
    private static final Nid PEER = Nid.parse("10.0.0.3@o2ib");
    private static final int PORTAL = 1;

    private final List<LnetEvent> events = new ArrayList<>();
    private final LnetCore node = new LnetCore(Nid.parse("10.0.0.1@o2ib"), new Random(1), events::add);
    private final LnetCore other = new LnetCore(Nid.parse("10.0.0.2@o2ib"), new Random(2), event -> {});

    @BeforeEach
    void join() {
        FakeNetwork network = new FakeNetwork(1 << 20);
        network.join(node);
        network.join(other);
    }

    private static MemoryDescriptor.Builder memory() {
        return MemoryDescriptor.over(MemorySegment.ofArray(new byte[8])).threshold(2);
    }

    private void offer() {
        node.attach(
                MatchEntry.on(PORTAL).build(),
                memory().options(MdOption.OP_PUT, MdOption.OP_GET).build());
    }

    private int arrive(LnetHeader header) {
        LnetMessage message = new LnetMessage(LnetMessageType.PUT, other.self(), node.self());
        return node.parse(header, PEER, new LoopbackLnd.Outgoing(message), false);
    }

    private void expectDropped(LnetHeader header) {
        long before = node.statistics().dropped(DropReason.FORGED_SOURCE);
        assertThat(arrive(header)).isZero();
        assertThat(node.statistics().dropped(DropReason.FORGED_SOURCE) - before).isEqualTo(1);
        assertThat(events).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"12345-10.0.0.2@o2ib", "12345-10.0.0.1@o2ib", "12345-0@lo", "12345-*", "*-10.0.0.3@o2ib"})
    void aSourceThatIsNotThePeerIsDropped(String name) {
        ProcessId source = ProcessId.parse(name);
        offer();
        expectDropped(LnetHeaders.put(source, node.self(), 0, WireHandle.NONE, PORTAL, 0, 0, 0));
        expectDropped(LnetHeaders.get(source, node.self(), WireHandle.NONE, PORTAL, 0, 0, 0));
    }

    @Test
    void anAnswerInTheNameOfAnotherNodeIsDropped() {
        MemoryDescriptor asked = memory().build();
        node.put(asked, true, other.self(), PORTAL, 0, 0, 0);
        expectDropped(LnetHeaders.ack(other.self(), node.self(), asked.handle(), 0, 8));
        MemoryDescriptor sink = memory().build();
        node.get(sink, other.self(), PORTAL, 0, 0);
        expectDropped(LnetHeaders.reply(other.self(), node.self(), sink.handle(), 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"12345-10.0.0.3@o2ib", "12345-10.0.0.9@tcp"})
    void thePeerItselfAndRoutedNodesAreServed(String name) {
        offer();
        assertThat(arrive(LnetHeaders.put(ProcessId.parse(name), node.self(), 0, WireHandle.NONE, PORTAL, 0, 0, 0)))
                .isZero();
        assertThat(events).hasSize(1);
    }
}
