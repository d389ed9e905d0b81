// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.benchmarks.Link.End;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;

/**
 * Measures SENDs in both directions between two threads that poll without a pause. One operation is one message in one
 * direction, that is half a round trip.
 */
final class PingPongTimed implements Timed {
    private static final int ROUND_TRIPS = 10_000;
    private static final int RECEIVES = 16;
    /** The number of consumed receives after which new receives are posted, as in {@code ibv_rc_pingpong}. */
    private static final int REFILL = RECEIVES / 2;

    private final Ends ends;
    private final Player left;
    private final Player right;
    private final Helper partner;

    PingPongTimed(Ends ends, int bytes) {
        this.ends = ends;
        left = new Player(ends.left(), bytes);
        right = new Player(ends.right(), bytes);
        partner = new Helper("partner", this::answer);
    }

    private void answer() {
        for (int i = 0; i < ROUND_TRIPS; i++) {
            right.receive();
            right.send();
        }
    }

    @Override
    public int run() {
        partner.begin();
        for (int i = 0; i < ROUND_TRIPS; i++) {
            left.send();
            left.receive();
        }
        partner.await();
        return 2 * ROUND_TRIPS;
    }

    @Override
    public void close() {
        partner.close();
        ends.close();
    }

    /** The queue pair, the work requests and the message counts of one thread. */
    private static final class Player {
        /** The number of sends from one signaled send to the next. */
        private static final int SIGNAL_EVERY = 16;

        private final End end;
        private final SendRequests plain;
        private final SendRequests signaled;
        private final ReceiveRequests receives;
        private int sent;
        private int received;

        Player(End end, int bytes) {
            this.end = end;
            plain = end.queuePair.newSendRequests(1);
            plain.get(0).send().sge(end.region, 0, bytes);
            signaled = end.queuePair.newSendRequests(1);
            signaled.get(0).send().signaled().sge(end.region, 0, bytes);
            receives = end.queuePair.newReceiveRequests(REFILL);
            for (int i = 0; i < REFILL; i++) {
                receives.get(i).clear().sge(end.region, 0, bytes);
            }
            for (int i = 0; i < RECEIVES / REFILL; i++) {
                end.queuePair.postReceive(receives, REFILL);
            }
        }

        /**
         * Posts a send. Before a signaled send, waits for the completion of the previous signaled send. The send queue is
         * large enough for all sends between two signaled sends.
         */
        void send() {
            boolean asks = ++sent % SIGNAL_EVERY == 0;
            if (asks && sent > SIGNAL_EVERY) {
                end.awaitSend();
            }
            end.queuePair.postSend(asks ? signaled : plain, 1);
        }

        void receive() {
            end.awaitReceive();
            if (++received % REFILL == 0) {
                end.queuePair.postReceive(receives, REFILL);
            }
        }
    }
}
