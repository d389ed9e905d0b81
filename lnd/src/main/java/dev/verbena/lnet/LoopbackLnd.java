// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import dev.verbena.verbs.Errno;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The LND for a node's messages to {@code 0@lo} or to its own NID; copies between two memory descriptors. */
final class LoopbackLnd implements Lnd {

    private final LndHost host;

    LoopbackLnd(LndHost host) {
        this.host = host;
    }

    record Outgoing(LnetMessage message) implements ReceiveHandle {}

    @Override
    public int send(LnetMessage message) {
        LnetHeader header = LnetHeader.blank();
        message.writeHeader(header);
        return host.parse(header, message.source().nid(), new Outgoing(message), false);
    }

    @Override
    public int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered) {
        LnetMessage outgoing = ((Outgoing) handle).message();
        int status = 0;
        if (message != null) {
            status = copy(outgoing, message, wanted);
            if (status == 0) {
                host.complete(message, 0);
            }
        }
        host.complete(outgoing, status);
        return status;
    }

    /** Copies the payload. Fails with EFAULT if the application has closed the arena of the source or destination. */
    private static int copy(LnetMessage outgoing, LnetMessage message, long wanted) {
        try {
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
            return 0;
        } catch (IllegalStateException e) {
            return -Errno.EFAULT.number();
        }
    }
}
