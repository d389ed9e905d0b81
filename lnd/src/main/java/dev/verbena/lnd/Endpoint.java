// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.cm.ConnectionId;
import dev.verbena.lnd.engine.WriteList;
import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.wire.Protocol;
import dev.verbena.verbs.CompletionHandler;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queue pair, completion queue and receive buffers of a connection, guarded by the lock of its CPU partition. */
final class Endpoint {

    private static final int OUT_OF_BAND = 2;

    private final O2ibTunables tunables;
    private final Partition partition;
    private final NodeMemory memory;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final int requestsPerTransfer;
    private final int sendable;
    private final int queueDepth;
    private final SendRequests sends;
    private final ReceiveRequests receives;
    private final ArmedQueue completions;
    /** The page number of each receive buffer, or its bitwise complement while LNet uses the buffer. */
    private int[] buffers = {};

    private int posted;

    Endpoint(
            O2ibTunables tunables,
            Partition partition,
            ConnectionId id,
            CompletionHandler handler,
            int vector,
            int depth,
            int maxFragments)
            throws VerbsException {
        this.tunables = tunables;
        this.partition = partition;
        memory = partition.memory();
        Device device = partition.device();
        requestsPerTransfer = 1 + maxFragments + partition.registrations().extraRequests();
        sendable = device.attributes().maxQpWr() / requestsPerTransfer;
        int wanted = Math.min(depth, sendable);
        int completionCount = slots(wanted) * requestsPerTransfer + receiveCount(wanted);
        cq = device.createCq(CqInitAttributes.builder()
                .capacity(Math.min(device.attributes().maxCqe(), completionCount))
                .completionVector(Math.floorMod(vector, device.attributes().completionVectors()))
                .handler(handler)
                .build());
        @Nullable QueuePair made = null;
        try {
            queueDepth = createQp(id, wanted);
            made = id.queuePair().orElseThrow();
            qp = made;
            sends = qp.newSendRequests(requestsPerTransfer);
            receives = qp.newReceiveRequests(receiveCount(queueDepth));
            completions = new ArmedQueue(cq);
            cq.requestNotification(Notification.NEXT_COMPLETION);
            postAll();
        } catch (VerbsException | RuntimeException e) {
            Cleanup cleanup = new Cleanup(e);
            if (made != null) {
                cleanup.step(made::close);
            }
            cleanup.step(cq::close);
            releaseBuffers();
            throw e;
        }
    }

    /** The number of SENDs that must fit into the send queue. An RDMA transfer posts RDMA WRITEs and then a SEND. */
    private int slots(int depth) {
        return Math.min(sendable, Math.max(depth, tunables.concurrentSends()));
    }

    /** The number of receive buffers: one per credit, one per response to a request, and a few for NOOPs. */
    private static int receiveCount(int depth) {
        return 2 * depth + OUT_OF_BAND;
    }

    /**
     * Creates the queue pair. If a device refuses the queue depth, this method tries lower depths, as
     * {@code kiblnd_create_conn} does. If the send queue is too large, most drivers return ENOMEM, but libmlx5 returns
     * EINVAL ({@code mlx5_calc_sq_size}).
     */
    private int createQp(ConnectionId id, int wanted) throws VerbsException {
        for (int depth = wanted; depth >= 1; depth--) {
            try {
                id.createQp(partition.domain(), attributes(depth));
                return depth;
            } catch (VerbsException e) {
                boolean tooDeep = e.errno() == Errno.ENOMEM || e.errno() == Errno.EINVAL;
                if (!tooDeep || depth == 1) {
                    throw e;
                }
            }
        }
        throw new VerbsException(
                Errno.ENOMEM,
                "rdma_create_qp",
                "the device's queue pairs hold "
                        + partition.device().attributes().maxQpWr() + " work requests, and one transfer needs "
                        + requestsPerTransfer);
    }

    private QpInitAttributes attributes(int depth) {
        return QpInitAttributes.builder()
                .type(QpType.RC)
                .sendCq(cq)
                .receiveCq(cq)
                .capabilities(QpCapabilities.of(slots(depth) * requestsPerTransfer, receiveCount(depth))
                        .withMaxSendSge(partition.piecesPerWrite()))
                .build();
    }

    private void postAll() throws VerbsException {
        MemoryRegion region = memory.region();
        buffers = new int[receives.capacity()];
        // In `buffers`, ~0 marks a receive buffer that has no page yet. `releaseBuffers` ignores negative values.
        Arrays.fill(buffers, ~0);
        for (int i = 0; i < receives.capacity(); i++) {
            long offset = memory.allocate(Protocol.MESSAGE_SIZE);
            if (offset < 0) {
                throw new VerbsException(
                        Errno.ENOMEM,
                        "ibv_post_recv",
                        "the node's memory has no page left for receive buffers; raise O2ibTunables.memory");
            }
            buffers[i] = (int) (offset / NodeMemory.PAGE);
            receives.get(i).clear().id(WorkId.of(WorkId.RX, i)).sge(region, offset, Protocol.MESSAGE_SIZE);
        }
        posted = qp.postReceive(receives, receives.capacity());
        if (posted < receives.capacity()) {
            throw receives.refusalAsException("ibv_post_recv");
        }
    }

    int queueDepth() {
        return queueDepth;
    }

    int concurrentSends() {
        return Math.min(slots(queueDepth), tunables.concurrentSends());
    }

    int posted() {
        return posted;
    }

    QueuePair queuePair() {
        return qp;
    }

    ArmedQueue completions() {
        return completions;
    }

    /** The offset of each receive buffer, posted or not, in the node's memory region. */
    long[] buffers() {
        return Arrays.stream(buffers).mapToLong(Endpoint::offset).toArray();
    }

    private static long offset(int buffer) {
        return page(buffer) * NodeMemory.PAGE;
    }

    private static int page(int buffer) {
        return Math.max(buffer, ~buffer);
    }

    /** Decrements {@code posted}. Returns the page number of the completed receive request's buffer. */
    int received(int index) {
        posted--;
        return buffers[index];
    }

    void held(int index, boolean on) {
        int page = page(buffers[index]);
        buffers[index] = on ? ~page : page;
    }

    int postReceive(int index) {
        if (qp.postReceive(receives, index, 1) == 1) {
            posted++;
            return 0;
        }
        return refused(receives.refusalAsException("ibv_post_recv"));
    }

    int post(TxDescriptor tx) {
        @Nullable RdmaTransfer transfer = tx.transfer();
        int count = transfer == null ? 0 : fillTransfer(tx.index(), transfer);
        sends.get(count)
                .send()
                .id(WorkId.of(WorkId.TX, tx.index()))
                .signaled()
                .sge(memory.region(), tx.offset(), tx.message().header().length());
        if (qp.postSend(sends, count + 1) == count + 1) {
            return 0;
        }
        return refused(sends.refusalAsException("ibv_post_send"));
    }

    private int refused(VerbsException refusal) {
        partition.cpt().failures().report(qp, refusal);
        return -refusal.errno().number();
    }

    /** Before a SEND, builds the work requests that register memory for the peer or write to the peer's memory. */
    private int fillTransfer(int index, RdmaTransfer transfer) {
        if (transfer.isRegistered()) {
            return transfer.registration().chain(sends, WorkId.of(WorkId.MR, index));
        }
        MemoryRegion region = memory.region();
        WriteList writes = transfer.writes();
        for (int i = 0; i < writes.writes(); i++) {
            SendWorkRequest request = sends.get(i)
                    .rdmaWrite(writes.remoteAddress(i), writes.rkey())
                    .id(WorkId.of(WorkId.RDMA, index));
            for (int piece = writes.firstPiece(i); piece < writes.firstPiece(i + 1); piece++) {
                request.sge(region, writes.pieceOffset(piece), writes.pieceLength(piece));
            }
        }
        return writes.writes();
    }

    /** Moves the queue pair to ERR to flush its requests. If the transition to ERR fails, only counts the failure. */
    void toError() {
        try {
            qp.modify(QpAttributes.error());
        } catch (VerbsException e) {
            partition.cpt().counters().ignored();
        }
    }

    /** The caller must not hold the CPU partition's lock, because closing waits for handlers that acquire this lock. */
    List<Cleanup.Step> closing() {
        return List.of(qp::close, cq::close);
    }

    /** Frees the receive buffers that LNet does not use. {@link Connection#repost} frees a buffer after its use by LNet. */
    void releaseBuffers() {
        for (int buffer : buffers) {
            if (buffer >= 0) {
                memory.free(offset(buffer), Protocol.MESSAGE_SIZE);
            }
        }
        buffers = new int[0];
        posted = 0;
    }
}
