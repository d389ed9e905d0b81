// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.QpCapabilities;
import java.util.Optional;

/** A queue pair with its protection domain, SRQ if any, completion queues, and memory region between two guard areas. */
public record End(Side side, Pd pd, Memory memory, Region region, Optional<Srq> srq, Qp qp) {
    /** Creates a queue pair in RESET, in a protection domain or for a connection id. */
    @FunctionalInterface
    interface QpMaker {
        Qp make(Pd pd, Cq sends, Cq receives, Optional<Srq> srq, Shape shape);
    }

    private static final QpMaker BY_DOMAIN = (pd, sends, receives, srq, shape) ->
            pd.qp(shape.type(), sends, receives, srq, shape.capabilities(), shape.signalAll());

    /** Creates a queue pair in RESET, with its own protection domain, memory and completion queues. */
    public static End open(Side side, Shape shape) {
        return open(side, shape, BY_DOMAIN);
    }

    static End open(Side side, Shape shape, QpMaker maker) {
        Pd pd = Pd.open(side);
        Memory memory = Memory.allocate(side, shape.bytes());
        Region region = pd.register(memory, 0, shape.bytes(), shape.access());
        Optional<Srq> srq = srq(pd, shape);
        return new End(side, pd, memory, region, srq, qp(side, pd, srq, shape, maker));
    }

    private static Optional<Srq> srq(Pd pd, Shape shape) {
        return shape.receivesInSrq() == 0
                ? Optional.empty()
                : Optional.of(pd.srq(shape.receivesInSrq(), shape.capabilities().maxReceiveSge(), 0));
    }

    private static Qp qp(Side side, Pd pd, Optional<Srq> srq, Shape shape, QpMaker maker) {
        QpCapabilities depths = shape.capabilities();
        // The completion queues have twice the needed depth, so that unexpected completions cause no overrun.
        Cq sends = Cq.open(side, 2 * depths.maxSendWr());
        Cq receives = Cq.open(side, 2 * Math.max(depths.maxReceiveWr(), shape.receivesInSrq()));
        return maker.make(pd, sends, receives, srq, shape);
    }

    /**
     * Creates a new queue pair in RESET with two new completion queues. The new queue pair uses the protection domain,
     * memory region and SRQ of the existing queue pair {@code qp}.
     */
    public End withQp(Shape shape) {
        return withQp(shape, BY_DOMAIN);
    }

    End withQp(Shape shape, QpMaker maker) {
        return new End(side, pd, memory, region, srq, qp(side, pd, srq, shape, maker));
    }

    /**
     * Creates a new queue pair in RESET with the given completion queues. The new queue pair uses the protection domain,
     * memory region and SRQ of the existing queue pair {@code qp}.
     */
    public End withQp(Shape shape, Cq sends, Cq receives) {
        return new End(side, pd, memory, region, srq, BY_DOMAIN.make(pd, sends, receives, srq, shape));
    }

    public Cq sends() {
        return qp.sends();
    }

    public Cq receives() {
        return qp.receives();
    }

    public Sge sge(long offset, long length) {
        return region.sge(offset, length);
    }

    /** Returns the rkey of the memory region, and the remote address of the byte at the given offset in the region. */
    public Send.RemoteMemory at(long offset) {
        return region.at(offset);
    }

    public Receive into(long id, long offset, long length) {
        return Receive.of(id).into(sge(offset, length));
    }

    public void receive(long id, long offset, long length) {
        if (srq.isPresent()) {
            srq.get().receive(into(id, offset, length));
        } else {
            qp.receive(into(id, offset, length));
        }
    }

    /** Posts work requests; fails if one of them is refused. */
    public void send(Send... requests) {
        qp.send(requests);
    }

    /** Posts a signaled SEND. The message is the given range of the memory region. */
    public void send(long id, long offset, long length) {
        send(Send.send(id).from(sge(offset, length)));
    }
}
