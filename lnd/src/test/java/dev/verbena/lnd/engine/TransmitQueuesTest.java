// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.MessageType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** The rings of descriptors beside queues and a list that hold the same. */
class TransmitQueuesTest {

    private static final List<MessageType> TYPES = List.of(
            MessageType.PUT_REQ, MessageType.GET_REQ, MessageType.IMMEDIATE, MessageType.NOOP, MessageType.PUT_ACK);

    @Property(tries = 300)
    void matchAModelOfQueuesAndAList(@ForAll long seed) {
        new Pair().run(new Random(seed));
    }

    private static final class Pair {
        private final CreditLedger ledger = new CreditLedger(8);
        private final TransmitQueues<Transmit> queues = new TransmitQueues<>();
        private final Deque<Transmit> needReserved = new ArrayDeque<>();
        private final Deque<Transmit> needNothing = new ArrayDeque<>();
        private final Deque<Transmit> needCredit = new ArrayDeque<>();
        private final List<Transmit> active = new ArrayList<>();

        void run(Random random) {
            for (int step = 0; step < 200; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> add(TYPES.get(random.nextInt(TYPES.size())), step);
                    case 1 -> admit();
                    case 2 -> post();
                    default -> end(random);
                }
                assertThat(contents()).containsExactlyElementsOf(model());
                assertThat(queues.size()).isEqualTo(model().size());
                assertThat(queues.nothingFree()).isEqualTo(needNothing.isEmpty());
                assertThat(queues.nothingToPayFor()).isEqualTo(needCredit.isEmpty());
            }
            List<Transmit> all = new ArrayList<>(active);
            all.addAll(needReserved);
            all.addAll(needNothing);
            all.addAll(needCredit);
            assertThat(queues.flush()).containsExactlyElementsOf(all).noneMatch(Transmit::isQueued);
            assertThat(contents()).containsExactlyElementsOf(all);
            assertThat(queues.peek()).isNull();
        }

        private void add(MessageType type, int cookie) {
            Transmit transmit = new Transmit();
            transmit.reset(type, cookie);
            queues.add(transmit);
            (type.needsReservedCredit() ? needReserved : type.needsCredit() ? needCredit : needNothing).add(transmit);
        }

        private void admit() {
            int before = ledger.reserved();
            queues.admit(ledger);
            for (int i = ledger.reserved(); i < before; i++) {
                needCredit.add(needReserved.remove());
            }
            assertThat(needReserved.isEmpty() || ledger.reserved() == 0).isTrue();
        }

        private void post() {
            @Nullable Transmit next = queues.peek();
            assertThat(next).isSameAs(needNothing.isEmpty() ? needCredit.peek() : needNothing.peek());
            if (next != null) {
                queues.remove(next);
                (needNothing.isEmpty() ? needCredit : needNothing).remove();
                queues.activate(next);
                queues.activate(next);
                active.add(next);
            }
        }

        private void end(Random random) {
            if (active.isEmpty()) {
                return;
            }
            Transmit ended = active.remove(random.nextInt(active.size()));
            assertThat(queues.findWaiting(ended.type(), ended.cookie())).isSameAs(ended.isWaiting() ? ended : null);
            queues.deactivate(ended);
            queues.deactivate(ended);
            assertThat(queues.findWaiting(ended.type(), ended.cookie())).isNull();
            if (ended.type().needsReservedCredit()) {
                ledger.repost(RepostEffect.RESERVED);
            }
        }

        private List<Transmit> contents() {
            List<Transmit> contents = new ArrayList<>();
            queues.forEach(contents::add);
            return contents;
        }

        private List<Transmit> model() {
            List<Transmit> model = new ArrayList<>(needReserved);
            model.addAll(needNothing);
            model.addAll(needCredit);
            model.addAll(active);
            return model;
        }
    }
}
