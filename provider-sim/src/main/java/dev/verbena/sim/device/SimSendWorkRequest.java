// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.memory.KeyDefect;
import dev.verbena.sim.memory.RegisteredMemory;
import dev.verbena.sim.queue.ScatterList;
import dev.verbena.sim.queue.SendWqe;
import dev.verbena.sim.queue.Slots;
import dev.verbena.sim.queue.WorkQueue;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A send request in the layout of a send WQE. The setters accept an opcode that the device or the transport does not
 * support; {@code postSend} refuses such an opcode.
 */
final class SimSendWorkRequest implements SendWorkRequest {
    private static final long MAX_ENTRY = 0xFFFFFFFFL;
    private static final int QPN_MASK = 0xFFFFFF;
    private static final @Nullable RegisteredMemory[] NO_REGIONS = {};

    private final SendRules rules;
    private final Slots slots;
    private final long offset;
    private final int maxEntries;
    private final boolean datagrams;
    private boolean ownBytes;
    private long length;
    private @Nullable SendOpcode operation;
    private PostRefusal defect = PostRefusal.NONE;
    /** The memory region of the first SGE; {@link #furtherRegions} has the memory regions of the other SGEs. */
    private @Nullable RegisteredMemory region;
    /** The address handle of a datagram. The address handle must be open when the request is posted. */
    private @Nullable SimAddressHandle addressHandle;

    private @Nullable RegisteredMemory[] furtherRegions = NO_REGIONS;

    /** A flyweight for the WQE. Frequent operations avoid this flyweight, because an access to it costs a cache miss. */
    private final SendWqe wqe;

    SimSendWorkRequest(SendRules rules, Slots slots, long offset) {
        this.rules = rules;
        this.slots = slots;
        this.offset = offset;
        wqe = new SendWqe(rules.type()).wrap(slots, offset);
        datagrams = wqe.isDatagram();
        maxEntries = rules.capabilities().maxSendSge();
    }

    /** Checks this request regardless of the queue pair's state. Returns the reason for a refusal, or NONE. */
    PostRefusal check() {
        SendOpcode chosen = operation;
        if (chosen == null) {
            return PostRefusal.NO_OPERATION;
        }
        if (!rules.supports(chosen)) {
            return PostRefusal.OPCODE_NOT_SUPPORTED;
        }
        if (defect != PostRefusal.NONE) {
            return defect;
        }
        if (chosen == SendOpcode.RDMA_READ
                && SendWqe.entries(slots, offset) > rules.profile().attributes().maxSgeRd()) {
            return PostRefusal.TOO_MANY_SGES;
        }
        if (length > rules.profile().maxMessageSize()) {
            return PostRefusal.MESSAGE_TOO_LONG;
        }
        if (datagrams) {
            SimAddressHandle handle = addressHandle;
            if (handle == null || handle.isClosed()) {
                return handle == null ? PostRefusal.NO_ADDRESS_HANDLE : PostRefusal.FOREIGN_OBJECT;
            }
        }
        if (chosen.isAtomic() || chosen == SendOpcode.ATOMIC_WRITE) {
            return length == Long.BYTES && wqe.remoteAddress() % Long.BYTES == 0
                    ? checkInline(chosen)
                    : PostRefusal.BAD_ATOMIC;
        }
        // A BIND_MW, REG_MR or LOCAL_INV must have no scatter/gather entry, not even an empty one. The WQE of a BIND_MW
        // contains fields of the bind at the offset of the first scatter/gather entry.
        if (chosen.isLocal() ? SendWqe.entries(slots, offset) > 0 : length > 0 && chosen == SendOpcode.FLUSH) {
            return PostRefusal.TOO_MANY_SGES;
        }
        return checkInline(chosen);
    }

    private PostRefusal checkInline(SendOpcode chosen) {
        if (isInline()) {
            if (!chosen.allowsInline()) {
                return PostRefusal.BAD_FLAGS;
            }
            if (length > rules.capabilities().maxInlineData()) {
                return PostRefusal.INLINE_TOO_LONG;
            }
        }
        return PostRefusal.NONE;
    }

    private boolean isInline() {
        return SendWqe.has(slots, offset, SendFlag.INLINE);
    }

    /**
     * Copies the request, and the data of an inline request, into the next free entry of the send queue. If a memory region
     * is closed or its memory is no longer valid, returns the reason why {@code postSend} refuses the request.
     */
    PostRefusal copyTo(WorkQueue queue, SendWqe slot) {
        boolean inline = isInline();
        int count = SendWqe.entries(slots, offset);
        long tail = inline && ownBytes ? length : (long) Math.max(1, count) * ScatterList.ENTRY_LENGTH;
        queue.fill(slots, offset, SendWqe.ENGINE_LENGTH, wqe.headerLength() + tail);
        slot.wrap(queue.producerSlots(), queue.producerOffset());
        if (inline) {
            PostRefusal refusal = ownBytes ? PostRefusal.NONE : copyInline(slot, count);
            if (refusal != PostRefusal.NONE) {
                return refusal;
            }
            slot.scatter().inlineLength((int) length);
        }
        slot.posted();
        return PostRefusal.NONE;
    }

    /** Marks the request as posted, so that {@code postSend} skips the checks until the request is changed. */
    void posted() {
        // `postSend` always checks the address handle of a datagram.
        SendWqe.checked(slots, offset, !datagrams);
    }

    private PostRefusal copyInline(SendWqe slot, int count) {
        ScatterList list = wqe.scatter();
        long to = slot.inlineOffset();
        for (int i = 0; i < count; i++) {
            int bytes = list.length(i);
            // The key of an empty scatter/gather entry is not checked.
            PostRefusal refusal = bytes > 0 ? copyInline(i, list, slot.slots().segment(), to) : PostRefusal.NONE;
            if (refusal != PostRefusal.NONE) {
                return refusal;
            }
            to += bytes;
        }
        return PostRefusal.NONE;
    }

    private PostRefusal copyInline(int index, ScatterList list, MemorySegment target, long to) {
        RegisteredMemory memory = index == 0 ? region : furtherRegions[index];
        long address = list.address(index);
        int bytes = list.length(index);
        KeyDefect defect = memory == null
                ? rules.memory().read(list.key(index), address, target, to, bytes)
                : memory.read(address, target, to, bytes);
        return switch (defect) {
            case NONE -> PostRefusal.NONE;
            case VANISHED -> PostRefusal.MEMORY_CLOSED;
            case UNKNOWN, OF_ANOTHER, LACKS_RIGHT, OUT_OF_RANGE ->
                memory == null ? PostRefusal.INLINE_KEY_UNKNOWN : PostRefusal.FOREIGN_OBJECT;
        };
    }

    private SimSendWorkRequest begin(SendOpcode opcode) {
        // An unchanged reference is not stored again, because a reference store costs a card mark.
        if (operation != opcode) {
            operation = opcode;
        }
        if (defect != PostRefusal.NONE) {
            defect = PostRefusal.NONE;
        }
        if (addressHandle != null) {
            addressHandle = null;
        }
        length = 0;
        ownBytes = false;
        if (datagrams) {
            wqe.begin(opcode);
        } else {
            SendWqe.begin(slots, offset, opcode);
        }
        return this;
    }

    private SimSendWorkRequest begin(SendOpcode opcode, long remoteAddress, int rkey) {
        begin(opcode);
        SendWqe.remote(slots, offset, remoteAddress, rkey);
        return this;
    }

    @Override
    public SendWorkRequest send() {
        return begin(SendOpcode.SEND);
    }

    @Override
    public SendWorkRequest sendWithImmediate(int immediateData) {
        begin(SendOpcode.SEND_WITH_IMM);
        wqe.immediate(immediateData);
        return this;
    }

    @Override
    public SendWorkRequest sendWithInvalidate(int rkey) {
        begin(SendOpcode.SEND_WITH_INV);
        wqe.immediate(rkey);
        return this;
    }

    @Override
    public SendWorkRequest rdmaWrite(long remoteAddress, int rkey) {
        return begin(SendOpcode.RDMA_WRITE, remoteAddress, rkey);
    }

    @Override
    public SendWorkRequest rdmaWriteWithImmediate(long remoteAddress, int rkey, int immediateData) {
        begin(SendOpcode.RDMA_WRITE_WITH_IMM, remoteAddress, rkey);
        wqe.immediate(immediateData);
        return this;
    }

    @Override
    public SendWorkRequest rdmaRead(long remoteAddress, int rkey) {
        return begin(SendOpcode.RDMA_READ, remoteAddress, rkey);
    }

    @Override
    public SendWorkRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
        begin(SendOpcode.ATOMIC_CMP_AND_SWP);
        wqe.atomic(remoteAddress, rkey, compare, swap);
        return this;
    }

    @Override
    public SendWorkRequest fetchAndAdd(long remoteAddress, int rkey, long add) {
        begin(SendOpcode.ATOMIC_FETCH_AND_ADD);
        wqe.atomic(remoteAddress, rkey, add, 0);
        return this;
    }

    @Override
    public SendWorkRequest atomicWrite(long remoteAddress, int rkey) {
        return begin(SendOpcode.ATOMIC_WRITE, remoteAddress, rkey);
    }

    @Override
    public SendWorkRequest flush(
            long remoteAddress, int rkey, long bytes, FlushTarget target, FlushPlacement placement) {
        begin(SendOpcode.FLUSH);
        if (bytes < 0 || bytes > MAX_ENTRY) {
            defect = PostRefusal.MESSAGE_TOO_LONG;
        }
        wqe.flush(remoteAddress, rkey, (int) bytes, target.code(), placement.code());
        return this;
    }

    @Override
    public SendWorkRequest bindMemoryWindow(MemoryWindow window, int newRkey, MemoryWindowBinding binding) {
        begin(SendOpcode.BIND_MW);
        if (window.type() != MemoryWindowType.TYPE_2) {
            // A type 1 window is bound only by ibv_bind_mw, which chooses the next key of the window.
            defect = PostRefusal.FOREIGN_OBJECT;
        }
        return bind(window, newRkey, binding);
    }

    SimSendWorkRequest bindAny(MemoryWindow window, int newRkey, MemoryWindowBinding binding) {
        begin(SendOpcode.BIND_MW);
        return bind(window, newRkey, binding);
    }

    private SimSendWorkRequest bind(MemoryWindow window, int newRkey, MemoryWindowBinding binding) {
        MemoryRegion region = binding.region();
        rules.memoryOf(region);
        if (!(window instanceof SimMemoryWindow own)
                || own.isClosed()
                || !own.protectionDomain().device().equals(rules.device())) {
            defect = PostRefusal.FOREIGN_OBJECT;
        }
        wqe.bind(
                window.rkey(),
                newRkey,
                region.lkey(),
                region.address() + binding.offset(),
                binding.length(),
                AccessFlag.maskOf(binding.access()));
        return this;
    }

    void registerMemory(MemoryRegion region, int key, int access) {
        begin(SendOpcode.REG_MR);
        rules.memoryOf(region);
        wqe.register(region.rkey(), key, access);
    }

    @Override
    public SendWorkRequest localInvalidate(int rkey) {
        begin(SendOpcode.LOCAL_INV);
        wqe.immediate(rkey);
        return this;
    }

    @Override
    public SendWorkRequest id(long workRequestId) {
        SendWqe.workRequestId(slots, offset, workRequestId);
        return this;
    }

    @Override
    public SendWorkRequest signaled() {
        SendWqe.set(slots, offset, SendFlag.SIGNALED);
        return this;
    }

    @Override
    public SendWorkRequest solicited() {
        SendWqe.set(slots, offset, SendFlag.SOLICITED);
        return this;
    }

    @Override
    public SendWorkRequest fence() {
        SendWqe.set(slots, offset, SendFlag.FENCE);
        return this;
    }

    @Override
    public SendWorkRequest inline() {
        SendWqe.checked(slots, offset, false);
        SendWqe.set(slots, offset, SendFlag.INLINE);
        return this;
    }

    @Override
    public SendWorkRequest inlineData(MemorySegment data) {
        SendWqe.checked(slots, offset, false);
        SendWqe.set(slots, offset, SendFlag.INLINE);
        wqe.scatter().clear();
        defect = defect == PostRefusal.BAD_FLAGS ? defect : PostRefusal.NONE;
        ownBytes = true;
        length = data.byteSize();
        if (length <= rules.capabilities().maxInlineData()) {
            MemorySegment.copy(data, 0, slots.segment(), wqe.inlineOffset(), length);
            wqe.scatter().inlineLength((int) length);
        }
        return this;
    }

    @Override
    public SendWorkRequest sge(MemoryRegion registered, long from, long bytes) {
        RegisteredMemory memory = rules.memoryOf(registered);
        Objects.checkFromIndexSize(from, bytes, registered.length());
        return entry(memory, registered.address() + from, bytes, registered.lkey());
    }

    @Override
    public SendWorkRequest sge(long address, long bytes, int lkey) {
        return entry(null, address, bytes, lkey);
    }

    private SendWorkRequest entry(@Nullable RegisteredMemory memory, long address, long bytes, int lkey) {
        if (ownBytes) {
            throw new IllegalStateException("inlineData() has set the whole message; no more data can be added");
        }
        SendWqe.checked(slots, offset, false);
        int index = SendWqe.entries(slots, offset);
        if (index == maxEntries) {
            defect = PostRefusal.TOO_MANY_SGES;
        } else if (Long.compareUnsigned(bytes, MAX_ENTRY) > 0) {
            defect = PostRefusal.MESSAGE_TOO_LONG;
        } else {
            keep(index, memory);
            add(address, (int) bytes, lkey);
            length += bytes;
        }
        return this;
    }

    /**
     * Stores the memory region of a scatter/gather entry, or null if the entry has an address and a key instead. For an
     * inline request, {@code postSend} copies the data from this memory region. An unchanged reference is not stored again,
     * which saves a card mark.
     */
    @SuppressWarnings("ReferenceEquality")
    private void keep(int index, @Nullable RegisteredMemory memory) {
        if (index > 0) {
            if (furtherRegions.length == 0) {
                furtherRegions = new RegisteredMemory[maxEntries];
            }
            furtherRegions[index] = memory;
        } else if (region != memory) {
            region = memory;
        }
    }

    private void add(long address, int bytes, int lkey) {
        if (datagrams) {
            wqe.scatter().add(address, bytes, lkey);
        } else {
            SendWqe.addEntry(slots, offset, address, bytes, lkey);
        }
    }

    @Override
    public SendWorkRequest to(AddressHandle handle, int remoteQpn, int remoteQkey) {
        SendWqe.checked(slots, offset, false);
        if (!datagrams) {
            defect = PostRefusal.BAD_FLAGS;
        } else if (handle instanceof SimAddressHandle own
                && own.protectionDomain().device().equals(rules.device())) {
            addressHandle = own;
            wqe.datagram(remoteQpn & QPN_MASK, remoteQkey);
            setAddress(own);
        } else {
            defect = PostRefusal.FOREIGN_OBJECT;
        }
        return this;
    }

    private void setAddress(SimAddressHandle handle) {
        if (!handle.protectionDomain().equals(rules.domain())) {
            wqe.address().clear();
            return;
        }
        Gid source = handle.source();
        GlobalRoute route = handle.route();
        Gid destination = route.destination();
        wqe.address()
                .set(
                        source.high(),
                        source.low(),
                        destination.high(),
                        destination.low(),
                        source.isIpv4(),
                        route.hopLimit(),
                        route.trafficClass());
    }

    @Override
    public String toString() {
        return operation == null ? "no operation" : wqe.toString();
    }
}
