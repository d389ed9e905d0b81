// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.side.Ah;
import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Send;
import dev.verbena.conformance.side.Shape;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpType;

/** Sends datagrams from one queue pair to another. */
record Datagrams(End from, End to, Ah ah) {
    /** The length in bytes of the global route header (GRH). In a receive buffer, the GRH precedes the message. */
    static final int GRH = 40;

    static Datagrams of(End from, End to) {
        return new Datagrams(from, to, from.pd().ah(to.side()));
    }

    /** Returns two UD queue pairs in RTS, each with its completion queues and memory. */
    static Pair.Ends ready(Pair pair) {
        Shape shape = Shape.usual().withType(QpType.UD).withBytes(16_384);
        Pair.Ends ends = pair.unconnected(shape, shape);
        States.ready(pair, ends);
        return ends;
    }

    /** Returns an IPv4 multicast address if the device's address is IPv4, otherwise an IPv6 multicast address. */
    static Gid group(Side side) {
        return side.facts().source().gid().isIpv4() ? Gid.parse("::ffff:239.1.2.3") : Gid.parse("ff0e::1:2:3");
    }

    Send to(Send send) {
        return send.to(ah.qp(to.qp().number(), States.QKEY));
    }

    Send send(long id, int length) {
        return to(Send.send(id).from(from.sge(0, length)));
    }

    /** Sends a datagram, asserts that it arrives, and returns the completion of its receive. */
    Completion assertPasses(long id) {
        to.receive(id, 0, 256);
        from.send(send(id, 8));
        from.sends().awaitIds(id);
        Completion received = to.receives().await(1).getFirst();
        assertEquals(id, received.id(), "ids of the completions");
        assertEquals(GRH + 8L, received.byteLength(), "length in the completion");
        return received;
    }
}
