package dev.verbena.benchmarks;

import dev.verbena.benchmarks.Link.End;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;

/** SENDs back and forth between two threads that spin. An operation is one way: half of a round trip. */
final class PingPongTimed implements Timed {
    private static final int ROUND_TRIPS = 10_000;
    private static final int RECEIVES = 16;

    private final Link link;
    private final Player left;
    private final Player right;
    private final Helper partner;

    PingPongTimed(Link link, int bytes) {
        this.link = link;
        left = new Player(link.left, bytes);
        right = new Player(link.right, bytes);
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
        link.close();
    }

    /** What one thread uses. */
    private static final class Player {
        private final End end;
        private final SendRequests send;
        private final ReceiveRequests receive;

        Player(End end, int bytes) {
            this.end = end;
            send = end.queuePair.newSendRequests(1);
            send.get(0).send().signaled().sge(end.region, 0, bytes);
            receive = end.queuePair.newReceiveRequests(1);
            receive.get(0).clear().sge(end.region, 0, bytes);
            for (int i = 0; i < RECEIVES; i++) {
                end.queuePair.postReceive(receive, 1);
            }
        }

        void send() {
            end.queuePair.postSend(send, 1);
            end.awaitSend();
        }

        void receive() {
            end.awaitReceive();
            end.queuePair.postReceive(receive, 1);
        }
    }
}
