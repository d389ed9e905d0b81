// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WorkRequests;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import java.util.List;

/** Converts the kit's work requests ({@link Send}, {@link Receive}) to the provider's work requests, and posts them. */
final class LocalPosts {
    private final LocalObjects objects;

    LocalPosts(LocalObjects objects) {
        this.objects = objects;
    }

    Reply send(QueuePair queuePair, List<Send> requests) {
        SendRequests batch = queuePair.newSendRequests(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            fill(batch.get(i), requests.get(i));
        }
        return posted(queuePair.postSend(batch, requests.size()), requests.size(), batch);
    }

    private void fill(SendWorkRequest request, Send wanted) {
        choose(request, wanted);
        request.id(wanted.id());
        for (SendFlag flag : wanted.flags()) {
            switch (flag) {
                case SIGNALED -> request.signaled();
                case FENCE -> request.fence();
                case SOLICITED -> request.solicited();
                case INLINE -> request.inline();
            }
        }
        for (Sge entry : wanted.entries()) {
            request.sge(objects.get(entry.region(), MemoryRegion.class), entry.offset(), entry.length());
        }
        if (wanted.subject() instanceof Send.Destination to) {
            request.to(objects.get(to.ah(), AddressHandle.class), to.qpNumber(), to.qkey());
        }
    }

    private void choose(SendWorkRequest request, Send wanted) {
        Send.Numbers numbers = wanted.numbers();
        long address = numbers.remoteAddress();
        int rkey = numbers.rkey();
        switch (wanted.opcode()) {
            case SEND -> request.send();
            case SEND_WITH_IMM -> request.sendWithImmediate(numbers.immediate());
            case SEND_WITH_INV -> request.sendWithInvalidate(rkey);
            case RDMA_WRITE -> request.rdmaWrite(address, rkey);
            case RDMA_WRITE_WITH_IMM -> request.rdmaWriteWithImmediate(address, rkey, numbers.immediate());
            case RDMA_READ -> request.rdmaRead(address, rkey);
            case ATOMIC_CMP_AND_SWP -> request.compareAndSwap(address, rkey, numbers.first(), numbers.swap());
            case ATOMIC_FETCH_AND_ADD -> request.fetchAndAdd(address, rkey, numbers.first());
            case ATOMIC_WRITE -> request.atomicWrite(address, rkey);
            case LOCAL_INV -> request.localInvalidate(rkey);
            case BIND_MW -> {
                Send.Binding binding = subject(wanted, Send.Binding.class);
                request.bindMemoryWindow(objects.get(binding.object(), MemoryWindow.class), rkey, binding(binding));
            }
            case REG_MR -> {
                Send.Binding binding = subject(wanted, Send.Binding.class);
                objects.get(binding.object(), FastRegistrationRegion.class).registerBy(request, rkey, binding.access());
            }
            case FLUSH -> {
                Send.Flush flush = subject(wanted, Send.Flush.class);
                request.flush(address, rkey, flush.length(), flush.target(), flush.placement());
            }
        }
    }

    private static <T extends Send.Subject> T subject(Send wanted, Class<T> type) {
        if (!type.isInstance(wanted.subject())) {
            throw new IllegalArgumentException(
                    wanted.opcode() + " needs a " + type.getSimpleName() + ", not " + wanted.subject());
        }
        return type.cast(wanted.subject());
    }

    MemoryWindowBinding binding(Send.Binding wanted) {
        return new MemoryWindowBinding(
                objects.get(wanted.region(), MemoryRegion.class), wanted.offset(), wanted.length(), wanted.access());
    }

    Reply receive(Object queue, List<Receive> requests) {
        int count = requests.size();
        if (queue instanceof SharedReceiveQueue srq) {
            ReceiveRequests batch = filled(srq.newReceiveRequests(count), requests);
            return posted(srq.postReceive(batch, 0, count), count, batch);
        }
        QueuePair queuePair = (QueuePair) queue;
        ReceiveRequests batch = filled(queuePair.newReceiveRequests(count), requests);
        return posted(queuePair.postReceive(batch, count), count, batch);
    }

    private ReceiveRequests filled(ReceiveRequests batch, List<Receive> requests) {
        for (int i = 0; i < requests.size(); i++) {
            ReceiveWorkRequest request = batch.get(i).clear().id(requests.get(i).id());
            for (Sge entry : requests.get(i).entries()) {
                request.sge(objects.get(entry.region(), MemoryRegion.class), entry.offset(), entry.length());
            }
        }
        return batch;
    }

    private static Reply posted(int taken, int asked, WorkRequests batch) {
        return new Reply.Posted(taken, taken < asked ? batch.refusedIndex() : -1, batch.refusal());
    }
}
