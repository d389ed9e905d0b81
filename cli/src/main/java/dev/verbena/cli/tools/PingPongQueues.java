// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs and the memory region of a pingpong tool. The queue pairs have the attributes that libibverbs' pingpongs
 * set. Each queue pair sends its messages from its own range of the memory region. Each receive request of a shared receive
 * queue has its own buffer, because shared receive requests may complete out of order. The receive requests of a queue pair
 * without a shared receive queue use two buffers alternately.
 */
final class PingPongQueues implements AutoCloseable {
    static final int RECEIVE_ID = 1;
    static final int SEND_ID = 2;

    /** In the id of a receive request, the buffer index starts at bit 8. Bits 0 to 7 contain {@link #RECEIVE_ID}. */
    private static final int PLACE_SHIFT = 8;

    private static final int IN_TURN = 2;
    private static final int QKEY = 0x1111_1111;
    private static final int GRH = 40;

    private final PingPongSettings settings;
    private final OpenObjects open = new OpenObjects();
    private final ProtectionDomain pd;
    private final MemorySegment memory;
    private final MemoryRegion region;
    private final @Nullable CompletionChannel channel;
    private final CompletionQueue cq;
    private final @Nullable SharedReceiveQueue srq;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<SendRequests> sends = new ArrayList<>();
    private final ReceiveRequests receives;
    private final int grh;
    private final long stride;
    private final boolean inline;
    private @Nullable AddressHandle handle;
    private int handleQpn;
    /** The buffer indexes of the receive requests that are not posted. The next posted request uses the first index. */
    private final Deque<Integer> freePlaces = new ArrayDeque<>();

    PingPongQueues(Device device, PingPongSettings settings) throws VerbsException {
        this.settings = settings;
        grh = settings.type() == QpType.UD ? GRH : 0;
        long page = device.attributes().systemPageSize();
        stride = Math.ceilDiv((long) settings.size() + grh, page) * page;
        for (int i = 0; i < settings.receiveDepth(); i++) {
            freePlaces.add(i % receivePlaces());
        }
        try {
            VerbsArena arena = open.keep(device.newArena());
            memory = arena.allocatePages(stride * (settings.queuePairs() + receivePlaces()));
            channel = settings.events() ? open.keep(device.createCompletionChannel()) : null;
            pd = open.keep(device.allocatePd());
            region = open.keep(pd.registerMemory(memory, AccessFlag.LOCAL_WRITE));
            cq = open.keep(device.createCq(CqInitAttributes.builder()
                    .capacity(settings.receiveDepth() + settings.queuePairs())
                    .channel(channel)
                    .build()));
            srq = settings.sharedReceives()
                    ? open.keep(pd.createSrq(SrqInitAttributes.builder()
                            .maxWr(settings.receiveDepth())
                            .build()))
                    : null;
            for (int i = 0; i < settings.queuePairs(); i++) {
                queuePairs.add(open.keep(createQp()));
            }
            inline = queuePairs.getFirst().capabilities().maxInlineData() >= settings.size();
            receives = srq != null
                    ? srq.newReceiveRequests(settings.receiveDepth())
                    : queuePairs.getFirst().newReceiveRequests(settings.receiveDepth());
            for (QueuePair queuePair : queuePairs) {
                initialize(queuePair);
                sends.add(queuePair.newSendRequests(1));
            }
        } catch (VerbsException | RuntimeException e) {
            try (this) {
                throw e;
            }
        }
    }

    private int receivePlaces() {
        return settings.sharedReceives() ? settings.receiveDepth() : IN_TURN;
    }

    private QueuePair createQp() throws VerbsException {
        int receiveDepth = settings.sharedReceives() ? 0 : settings.receiveDepth();
        return pd.createQp(QpInitAttributes.builder()
                .type(settings.type())
                .sendCq(cq)
                .receiveCq(cq)
                .srq(srq)
                .capabilities(QpCapabilities.of(1, receiveDepth))
                .build());
    }

    private void initialize(QueuePair queuePair) throws VerbsException {
        QpAttributesBuilder attributes =
                QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(settings.port());
        queuePair.modify(
                settings.type() == QpType.UD
                        ? attributes.qkey(QKEY).build()
                        : attributes.access().build());
    }

    CompletionQueue cq() {
        return cq;
    }

    /** The completion channel, or null if the tool does not wait for completion events. */
    @Nullable CompletionChannel channel() {
        return channel;
    }

    int count() {
        return queuePairs.size();
    }

    QueuePair queuePair(int index) {
        return queuePairs.get(index);
    }

    /** Returns the index in {@code queuePairs} of the queue pair with the given QPN, or -1 if there is none. */
    int indexOf(int qpn) {
        for (int i = 0; i < queuePairs.size(); i++) {
            if (queuePairs.get(i).number() == qpn) {
                return i;
            }
        }
        return -1;
    }

    /** Modifies each queue pair to RTS, and connects each RC or UC queue pair to a remote queue pair. */
    void connect(List<Destination> mine, List<Destination> remote, GidEntry source) throws VerbsException {
        for (int i = 0; i < queuePairs.size(); i++) {
            connect(queuePairs.get(i), mine.get(i).psn(), remote.get(i), pathTo(remote.get(i), source));
        }
        if (settings.type() == QpType.UD) {
            handle = open.keep(pd.createAh(pathTo(remote.getFirst(), source)));
            handleQpn = remote.getFirst().qpn();
        }
    }

    private void connect(QueuePair queuePair, Psn psn, Destination remote, AddressVector path) throws VerbsException {
        QpAttributesBuilder receiving = QpAttributes.builder().state(QpState.RTR);
        QpAttributesBuilder sending = QpAttributes.builder().state(QpState.RTS).sqPsn(psn);
        if (settings.type() != QpType.UD) {
            receiving
                    .addressVector(path)
                    .pathMtu(settings.mtu())
                    .destinationQpn(remote.qpn())
                    .rqPsn(remote.psn());
        }
        if (settings.type() == QpType.RC) {
            receiving.maxDestRdAtomic(1).minRnrTimer(RnrTimer.ofCode(12));
            sending.ackTimeout(settings.ackTimeout())
                    .retryCount(7)
                    .rnrRetryCount(RnrRetryCount.FOREVER)
                    .maxRdAtomic(1);
        }
        queuePair.modify(receiving.build());
        queuePair.modify(sending.build());
    }

    private AddressVector pathTo(Destination remote, GidEntry source) {
        AddressVector.Builder path = remote.gid().low() != 0
                ? AddressVector.toGid(remote.gid(), source.index()).toBuilder()
                : AddressVector.builder();
        return path.destinationLid(remote.lid())
                .serviceLevel(settings.serviceLevel())
                .port(settings.port())
                .build();
    }

    /** Returns the memory with the payload that a queue pair sends. */
    MemorySegment sendPlace(int index) {
        return memory.asSlice(index * stride, settings.size());
    }

    /** Returns {@link #RECEIVE_ID} for a receive request, and {@link #SEND_ID} for a send request. */
    static int kind(long workRequestId) {
        return (int) workRequestId & (1 << PLACE_SHIFT) - 1;
    }

    /** Returns the message of the given receive, which is valid until {@link #postReceives} is called again. */
    MemorySegment takeArrived(long workRequestId) {
        int place = (int) (workRequestId >> PLACE_SHIFT);
        freePlaces.add(place);
        return memory.asSlice(receiveOffset(place) + grh, settings.size());
    }

    private long receiveOffset(int place) {
        return (settings.queuePairs() + place) * stride;
    }

    /** Posts receives. Returns how many receives the provider accepted. */
    int postReceives(int count) {
        for (int i = 0; i < count; i++) {
            int place = freePlaces.remove();
            receives.get(i)
                    .clear()
                    .id(RECEIVE_ID | (long) place << PLACE_SHIFT)
                    .sge(region, receiveOffset(place), (long) settings.size() + grh);
        }
        return srq != null
                ? srq.postReceive(receives, 0, count)
                : queuePairs.getFirst().postReceive(receives, count);
    }

    /** Posts the next SEND of a queue pair. Returns false if the provider refused the send request. */
    boolean postSend(int index) {
        SendRequests batch = sends.get(index);
        SendWorkRequest request =
                batch.get(0).send().id(SEND_ID).signaled().sge(region, index * stride, settings.size());
        if (inline) {
            request.inline();
        }
        if (handle != null) {
            request.to(handle, handleQpn, QKEY);
        }
        return queuePairs.get(index).postSend(batch, 1) == 1;
    }

    @Override
    public void close() throws VerbsException {
        open.close();
    }
}
