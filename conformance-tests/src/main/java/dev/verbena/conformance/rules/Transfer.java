// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.ids;

import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.PathMtu;

/**
 * Messages of equal length. A rule checks that each message arrives once, in order and unaltered, despite link faults.
 *
 * @param messages the number of messages, at most {@link #MOST}
 * @param length the length of each message in bytes, at most {@link #LONGEST}
 */
record Transfer(int messages, int length) {
    static final int LONGEST = 1500;
    static final int MOST = 8;

    static Shape shape() {
        return Shape.usual().withBytes((long) MOST * LONGEST);
    }

    /** The path MTU is small, so that each message has several packets. */
    static Connection connection() {
        return Connection.usual().withMtu(PathMtu.MTU_256);
    }

    void send(Pair.Ends ends) {
        byte[] expected = expected(ends);
        for (int i = 0; i < messages; i++) {
            ends.responder().receive(i, (long) i * length, length);
        }
        for (int i = 0; i < messages; i++) {
            ends.requester().send(i, (long) i * length, length);
        }
        ends.responder().receives().awaitIds(ids(0, messages).toArray(Long[]::new));
        ends.requester().sends().awaitIds(ids(0, messages).toArray(Long[]::new));
        ends.responder().memory().assertHolds(expected);
        ends.assertQuiet();
    }

    private byte[] expected(Pair.Ends ends) {
        byte[] expected = ends.responder().memory().contents();
        for (int i = 0; i < messages; i++) {
            byte[] message = ends.requester().memory().fill((long) i * length, length, i + 1);
            expected = Memory.patched(expected, (long) i * length, message);
        }
        return expected;
    }

    void write(Pair.Ends ends) {
        byte[] expected = expected(ends);
        End requester = ends.requester();
        for (int i = 0; i < messages; i++) {
            requester.send(Send.write(i, ends.responder().at((long) i * length))
                    .from(requester.sge((long) i * length, length)));
        }
        requester.sends().awaitIds(ids(0, messages).toArray(Long[]::new));
        ends.responder().memory().assertHolds(expected);
    }

    /** Transfers the messages by RDMA READs of the requester. */
    void read(Pair.Ends ends) {
        End requester = ends.requester();
        byte[] expected = requester.memory().contents();
        for (int i = 0; i < messages; i++) {
            byte[] remote = ends.responder().memory().fill((long) i * length, length, i + 1);
            expected = Memory.patched(expected, (long) i * length, remote);
        }
        for (int i = 0; i < messages; i++) {
            requester.send(Send.read(i, ends.responder().at((long) i * length))
                    .from(requester.sge((long) i * length, length)));
        }
        requester.sends().awaitIds(ids(0, messages).toArray(Long[]::new));
        requester.memory().assertHolds(expected);
    }
}
