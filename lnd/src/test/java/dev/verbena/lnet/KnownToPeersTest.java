// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests the records and events of an operation: a handle that was sent to no peer is not found, and an unwanted event
 * is not made.
 */
class KnownToPeersTest {

    private final FakeNetwork network = new FakeNetwork(1 << 20);
    private final List<LnetEvent> events = new ArrayList<>();
    private final LnetCore a = new LnetCore(Nid.parse("10.0.0.1@o2ib"), new Random(1), new LnetEventSink() {
        @Override
        public void accept(LnetEvent event) {
            events.add(event);
        }

        @Override
        public boolean wants(MemoryDescriptor md) {
            return md.hasHandler();
        }
    });
    private final LnetCore b = new LnetCore(Nid.parse("10.0.0.2@o2ib"), new Random(2), event -> {});

    KnownToPeersTest() {
        network.join(a);
        network.join(b);
    }

    private static MemoryDescriptor.Builder source() {
        return MemoryDescriptor.over(MemorySegment.ofArray(new byte[4])).threshold(2);
    }

    private long dropped(MemoryDescriptor md) {
        long before = a.statistics().dropped(DropReason.UNKNOWN_HANDLE);
        LnetHeader ack = LnetHeaders.ack(b.self(), a.self(), md.handle(), 0, 4);
        assertThat(a.parse(
                        ack,
                        b.self().nid(),
                        new LoopbackLnd.Outgoing(new LnetMessage(LnetMessageType.ACK, b.self(), a.self())),
                        false))
                .isZero();
        return a.statistics().dropped(DropReason.UNKNOWN_HANDLE) - before;
    }

    @Test
    void anUnrequestedAckIsDropped() {
        MemoryDescriptor silent = source().build();
        MemoryDescriptor asking = source().build();
        a.put(silent, false, b.self(), 1, 0, 0, 0);
        a.put(asking, true, b.self(), 1, 0, 0, 0);
        assertThat(dropped(silent)).isEqualTo(1);
        assertThat(dropped(asking)).isZero();
        assertThat(a.descriptorCount()).isEqualTo(2);
        a.unlink(silent);
        a.unlink(asking);
        assertThat(a.descriptorCount()).isZero();
    }

    @Test
    void anUnwantedEventIsNotMade() {
        MemoryDescriptor heard = source().handler(event -> {}).build();
        MemoryDescriptor unheard = source().build();
        for (MemoryDescriptor md : List.of(heard, unheard)) {
            a.put(md, true, a.self(), 1, 0, 0, 0);
            a.unlink(md);
        }
        assertThat(events).isNotEmpty().allMatch(event -> event.memoryDescriptor() == heard);
        assertThat(unheard.state()).isEqualTo(MemoryDescriptor.State.UNLINKED);
    }
}
