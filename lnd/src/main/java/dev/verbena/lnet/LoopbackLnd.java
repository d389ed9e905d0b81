package dev.verbena.lnet;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The driver for messages of a node to itself, by {@code 0@lo} or by its own NID: copies from descriptor to descriptor. */
final class LoopbackLnd implements Lnd {

    private final LndHost host;

    LoopbackLnd(LndHost host) {
        this.host = host;
    }

    record Outgoing(LnetMessage message) implements ReceiveHandle {}

    @Override
    public int send(LnetMessage message) {
        return host.parse(message.header(), message.header().source().nid(), new Outgoing(message), false);
    }

    @Override
    public int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered) {
        LnetMessage outgoing = ((Outgoing) handle).message();
        if (message != null) {
            PayloadVector from = outgoing.payload();
            long start = outgoing.payloadOffset();
            message.payload().forEachPiece(message.payloadOffset(), wanted, new PayloadVector.PieceVisitor() {
                private long at = start;

                @Override
                public void piece(MemorySegment slice, long sliceOffset, long length) {
                    from.copyOut(at, slice, sliceOffset, length);
                    at += length;
                }
            });
            host.complete(message, 0);
        }
        host.complete(outgoing, 0);
        return 0;
    }
}
