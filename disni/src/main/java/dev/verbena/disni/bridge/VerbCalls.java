// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.Notification;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DiSNI's methods for the functions of libibverbs. Several threads may call the methods of this class. */
final class VerbCalls extends RdmaVerbs {

    @Override
    public IbvPd allocPd(IbvContext context) throws IOException {
        BridgeContext device = (BridgeContext) context;
        return new BridgePd(device, Calls.get(device.device()::allocatePd));
    }

    @Override
    public int deallocPd(IbvPd domain) throws IOException {
        if (!domain.isOpen()) {
            throw Calls.destroyed("ibv_dealloc_pd", "the protection domain");
        }
        return Calls.run(((BridgePd) domain)::destroy);
    }

    /** Registers the whole buffer, regardless of its position and limit. The region keeps the buffer reachable. */
    @Override
    public SVCRegMr regMr(IbvPd domain, ByteBuffer buffer, int access) {
        return new RegisterCall(
                (BridgePd) domain, MrInitAttributes.builder(buffer.duplicate().clear()), access);
    }

    /** Registers memory at an address. The caller must keep the memory allocated until the region is deregistered. */
    @Override
    public SVCRegMr regMr(IbvPd domain, long address, int length, int access) {
        return new RegisterCall(
                (BridgePd) domain,
                MrInitAttributes.builder(Calls.memoryAt(address, Integer.toUnsignedLong(length)))
                        .lifetime(MemoryLifetime.CALLER_KEEPS_ALIVE),
                access);
    }

    @Override
    public SVCDeregMr deregMr(IbvMr region) {
        return new DeregisterCall((BridgeMr) region);
    }

    /** Returns -1, because the device does not support on-demand paging. */
    @Override
    public int queryOdpSupport(IbvContext context) {
        return -1;
    }

    /** Returns -1, because the device does not support prefetching. */
    @Override
    public int expPrefetchMr(IbvMr region, long address, int length) {
        return -1;
    }

    @Override
    public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
        BridgeContext device = (BridgeContext) context;
        return new BridgeCompChannel(device, Calls.get(device.device()::createCompletionChannel));
    }

    /** Returns 0. If completion queues use the channel, it is destroyed together with the last of these queues. */
    @Override
    public int destroyCompChannel(IbvCompChannel channel) throws IOException {
        if (!channel.isOpen()) {
            throw Calls.destroyed("ibv_destroy_comp_channel", "the completion channel");
        }
        return Calls.run(((BridgeCompChannel) channel)::destroy);
    }

    @Override
    public IbvCQ createCQ(IbvContext context, @Nullable IbvCompChannel channel, int capacity, int vector)
            throws IOException {
        BridgeContext device = (BridgeContext) context;
        BridgeCompChannel announcements = (BridgeCompChannel) channel;
        CompletionQueue queue = Calls.get(() -> device.device()
                .createCq(CqInitAttributes.builder()
                        .capacity(capacity)
                        .completionVector(vector)
                        .channel(announcements == null ? null : announcements.channel())
                        .build()));
        return new BridgeCq(device, announcements, queue);
    }

    @Override
    public int destroyCQ(IbvCQ queue) throws IOException {
        if (!queue.isOpen()) {
            throw Calls.destroyed("ibv_destroy_cq", "the completion queue");
        }
        return Calls.run(((BridgeCq) queue)::destroy);
    }

    @Override
    public SVCPollCq pollCQ(IbvCQ queue, IbvWC[] completions, int most) throws IOException {
        return new PollCall((BridgeCq) queue, completions, most);
    }

    @Override
    public SVCReqNotify reqNotifyCQ(IbvCQ queue, boolean solicitedOnly) {
        return new NotifyCall(
                (BridgeCq) queue, solicitedOnly ? Notification.SOLICITED_ONLY : Notification.NEXT_COMPLETION);
    }

    @Override
    public boolean getCqEvent(IbvCompChannel channel, IbvCQ queue, int timeout) throws IOException {
        if (!channel.isOpen()) {
            throw Calls.destroyed("ibv_get_cq_event", "the completion channel");
        }
        return Calls.await(((BridgeCompChannel) channel).channel()::await, timeout, channel::isOpen)
                .isPresent();
    }

    /**
     * Does nothing, because the provider has already acknowledged the completion events. The argument {@code count} is
     * not checked, because some programs pass the number of completions instead of the number of events.
     */
    @Override
    public int ackCqEvents(IbvCQ queue, int count) {
        return 0;
    }

    // The parameter `refused` is ignored, because all known DiSNI programs pass null for it.

    @Override
    public SVCPostSend postSend(IbvQP queuePair, List<IbvSendWR> requests, @Nullable List<IbvSendWR> refused)
            throws IOException {
        return new PostSendCall((BridgeQp) queuePair, requests);
    }

    @Override
    public SVCPostRecv postRecv(IbvQP queuePair, List<IbvRecvWR> requests, @Nullable List<IbvRecvWR> refused)
            throws IOException {
        return new PostReceiveCall((BridgeQp) queuePair, requests);
    }
}
