// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events that wait for the program, in virtual time. */
class LnetEventQueueTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int PORTAL = 4;

    private final CoreNode.Network network = new CoreNode.Network();
    private final CoreNode near = network.join("10.0.0.1@o2ib");
    private final CoreNode far = network.join("10.0.0.2@o2ib");
    private final LnetEventQueue queue = new LnetEventQueue(network.runtime());

    @BeforeEach
    void serve() {
        far.attach(
                MatchEntry.on(PORTAL).build(),
                MemoryDescriptor.over(MemorySegment.ofArray(new byte[64]))
                        .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .unlinkPolicy(UnlinkPolicy.RETAIN)
                        .build());
    }

    private static MemoryDescriptor.Builder over(int length) {
        return MemoryDescriptor.over(MemorySegment.ofArray(new byte[length]));
    }

    private void put(MemoryDescriptor md) {
        near.put(md, true, far.id(), PORTAL, 0, 0, 0);
    }

    private List<LnetEventType> polled() {
        List<LnetEventType> types = new ArrayList<>();
        for (Optional<LnetEvent> next = queue.poll(); next.isPresent(); next = queue.poll()) {
            types.add(next.get().type());
        }
        return types;
    }

    @Test
    void eventsWaitInTheirOrderUntilTheyAreTaken() throws InterruptedException {
        MemoryDescriptor md = over(8).threshold(2).eventQueue(queue).build();
        put(md);
        assertThat(network.runtime().await(() -> near.descriptors() == 0, LONG)).isTrue();

        LnetEvent sent = queue.poll().orElseThrow();
        assertThat(sent.type()).isEqualTo(LnetEventType.SEND);
        assertThat(sent.memoryDescriptor()).isSameAs(md);
        assertThat(sent.unlinked()).isFalse();
        LnetEvent confirmed = queue.poll().orElseThrow();
        assertThat(confirmed.type()).isEqualTo(LnetEventType.ACK);
        assertThat(confirmed.unlinked()).isTrue();
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void oneQueueServesSeveralNodes() throws InterruptedException {
        far.attach(
                MatchEntry.on(PORTAL + 1).build(),
                over(64).options(MdOption.OP_PUT).threshold(1).eventQueue(queue).build());
        near.put(over(8).threshold(1).eventQueue(queue).build(), false, far.id(), PORTAL + 1, 0, 0, 0);
        assertThat(network.runtime().await(() -> near.descriptors() == 0 && far.descriptors() == 1, LONG))
                .isTrue();
        assertThat(polled()).containsExactlyInAnyOrder(LnetEventType.SEND, LnetEventType.PUT);
    }

    @Test
    void unlinkingReportsToTheQueue() {
        MemoryDescriptor md =
                over(64).options(MdOption.OP_PUT).eventQueue(queue).build();
        far.attach(MatchEntry.on(PORTAL + 1).build(), md);
        far.unlink(md);
        assertThat(polled()).containsExactly(LnetEventType.UNLINK);
    }

    @Test
    void awaitReturnsTheNextEventOrNoneAfterTheTimeout() throws InterruptedException {
        assertThat(queue.await(LONG)).isEmpty();
        assertThat(network.runtime().nanoTime()).isEqualTo(LONG.toNanos());
        put(over(8).threshold(2).eventQueue(queue).build());
        assertThat(queue.await(LONG).map(LnetEvent::type)).contains(LnetEventType.SEND);
        assertThat(queue.await(LONG).map(LnetEvent::type)).contains(LnetEventType.ACK);
        assertThat(queue.await(Duration.ZERO)).isEmpty();
    }

    @Test
    void anInterruptedAwaitLosesNoEvent() throws InterruptedException {
        put(over(8).threshold(2).eventQueue(queue).build());
        assertThat(network.runtime().await(() -> near.descriptors() == 0, LONG)).isTrue();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> queue.await(LONG)).isInstanceOf(InterruptedException.class);
        assertThat(polled()).containsExactly(LnetEventType.SEND, LnetEventType.ACK);
    }

    @Test
    void aHandlerMayPollEventsButNotAwaitThem() throws InterruptedException {
        List<Optional<LnetEventType>> found = new ArrayList<>();
        List<Throwable> refused = new ArrayList<>();
        put(over(8).threshold(2).eventQueue(queue).build());
        assertThat(network.runtime().await(() -> near.descriptors() == 0, LONG)).isTrue();
        put(over(8).threshold(1)
                .handler(event -> {
                    refused.add(catchThrowable(() -> queue.await(LONG)));
                    found.add(queue.poll().map(LnetEvent::type));
                })
                .build());
        assertThat(network.runtime().await(() -> !found.isEmpty(), LONG)).isTrue();
        assertThat(found).containsExactly(Optional.of(LnetEventType.SEND));
        assertThat(refused).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(polled()).containsExactly(LnetEventType.ACK);
    }

    @Test
    void theLastSettingReceivesTheEvents() throws InterruptedException {
        List<LnetEventType> handled = new ArrayList<>();
        put(over(8).threshold(2)
                .eventQueue(queue)
                .handler(event -> handled.add(event.type()))
                .build());
        put(over(8).threshold(2)
                .handler(event -> handled.add(event.type()))
                .eventQueue(queue)
                .build());
        assertThat(network.runtime().await(() -> near.descriptors() == 0 && handled.size() == 2, LONG))
                .isTrue();
        assertThat(handled).containsExactly(LnetEventType.SEND, LnetEventType.ACK);
        assertThat(polled()).containsExactly(LnetEventType.SEND, LnetEventType.ACK);
    }
}
