// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.memory.NativeMr;
import dev.verbena.ibverbs.memory.NativeMw;
import dev.verbena.ibverbs.struct.IbvSendWr;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendWorkRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A flyweight over one {@code struct ibv_send_wr}. If the device does not support the opcode of a work request, the post
 * refuses the work request. During the post, no verbs object to which the {@code ibv_send_wr} points can be destroyed.
 */
public final class NativeSendRequest implements SendWorkRequest {
    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    private final RequestBatch batch;
    private final int index;
    private final SendLimits limits;
    private final MemorySegment raw;
    private final SgeList entries;
    private final MemorySegment inlineBytes;
    private @Nullable SendOpcode operation;
    private PostRefusal defect = PostRefusal.NONE;
    private boolean ownBytes;
    private long inlineLength;
    private long remoteAddress;
    private long flushLength;
    private FlushTarget flushTarget = FlushTarget.RANGE;
    private FlushPlacement flushPlacement = FlushPlacement.GLOBAL;
    private @Nullable NativeAh destination;
    private @Nullable NativeMw window;
    private @Nullable NativeMr bound;
    private int newKey;

    NativeSendRequest(RequestBatch batch, int index, SendLimits limits) {
        this.batch = batch;
        this.index = index;
        this.limits = limits;
        raw = batch.first(index);
        entries = new SgeList(limits.device(), limits.capabilities().maxSendSge());
        inlineBytes = Arena.ofAuto().allocate(Math.max(1, limits.capabilities().maxInlineData()));
        raw.set(ADDRESS, IbvSendWr.SG_LIST, entries.raw());
    }

    private PostRefusal check() {
        SendOpcode chosen = operation;
        if (chosen == null) {
            return PostRefusal.NO_OPERATION;
        }
        if (!limits.operations().contains(chosen)) {
            return PostRefusal.OPCODE_NOT_SUPPORTED;
        }
        if (defect != PostRefusal.NONE) {
            return defect;
        }
        if (entries.defect() != PostRefusal.NONE) {
            return entries.defect();
        }
        if (chosen == SendOpcode.RDMA_READ && entries.count() > limits.maxReadEntries()) {
            return PostRefusal.TOO_MANY_SGES;
        }
        long length = ownBytes ? inlineLength : entries.length();
        if (length > limits.maxMessageSize()) {
            return PostRefusal.MESSAGE_TOO_LONG;
        }
        if (limits.type() == QpType.UD && destination == null) {
            return PostRefusal.NO_ADDRESS_HANDLE;
        }
        if ((chosen.isAtomic() || chosen == SendOpcode.ATOMIC_WRITE)
                && (length != Long.BYTES || remoteAddress % Long.BYTES != 0)) {
            return PostRefusal.BAD_ATOMIC;
        }
        if (length > 0 && (chosen.isLocal() || chosen == SendOpcode.FLUSH)) {
            return PostRefusal.TOO_MANY_SGES;
        }
        if (entries.isMemoryClosed()) {
            return PostRefusal.MEMORY_CLOSED;
        }
        if (has(SendFlag.INLINE)) {
            if (!chosen.allowsInline()) {
                return PostRefusal.BAD_FLAGS;
            }
            if (length > limits.capabilities().maxInlineData()) {
                return PostRefusal.INLINE_TOO_LONG;
            }
        }
        return PostRefusal.NONE;
    }

    /**
     * Returns whether every post must call {@link #hold} for this work request. Returns true if, during the post,
     * libibverbs uses a verbs object of the work request or reads its payload. Also returns true if the memory of an SGE is
     * in an arena that the application can close. Each post checks whether such an arena was closed.
     */
    boolean holds() {
        return destination != null || window != null || isReadByLibrary() || entries.mayVanish();
    }

    /**
     * Checks the work request, and prevents the destruction of the verbs objects that libibverbs will access during the
     * post. If {@code hold} refuses the work request, its verbs objects can be destroyed.
     */
    PostRefusal hold() {
        PostRefusal found = check();
        if (found != PostRefusal.NONE) {
            return found;
        }
        NativeAh ah = destination;
        if (ah != null && !ah.handle().tryEnter()) {
            return PostRefusal.FOREIGN_OBJECT;
        }
        PostRefusal unreadable = isReadByLibrary() ? entries.holdForReading() : PostRefusal.NONE;
        if (unreadable != PostRefusal.NONE) {
            exit(ah);
            return unreadable;
        }
        if (window != null && !holdBinding(window)) {
            exit(ah);
            return PostRefusal.FOREIGN_OBJECT;
        }
        return PostRefusal.NONE;
    }

    private boolean holdBinding(NativeMw mw) {
        NativeMr mr = bound;
        if (mr == null || !mw.handle().tryEnter()) {
            return false;
        }
        if (!mr.handle().tryEnter()) {
            mw.handle().exit();
            return false;
        }
        return true;
    }

    private static void exit(@Nullable NativeAh ah) {
        if (ah != null) {
            ah.handle().exit();
        }
    }

    void release(boolean taken) {
        exit(destination);
        if (isReadByLibrary()) {
            entries.release();
        }
        NativeMw mw = window;
        NativeMr mr = bound;
        if (mw != null && mr != null) {
            if (taken) {
                mw.recordKey(newKey);
            }
            mw.handle().exit();
            mr.handle().exit();
        }
    }

    /** Returns whether libibverbs itself reads the bytes of the scatter-gather entries during the post. */
    private boolean isReadByLibrary() {
        return has(SendFlag.INLINE) || operation == SendOpcode.ATOMIC_WRITE;
    }

    /**
     * Returns whether the request needs {@code ibv_wr_post}. {@code ibv_post_send} supports no atomic write and no flush.
     */
    boolean isExtended() {
        return operation == SendOpcode.ATOMIC_WRITE || operation == SendOpcode.FLUSH;
    }

    /** Posts a request by ibv_wr_post, and returns 0 or an errno */
    int post(ExtendedSend calls) {
        long id = raw.get(JAVA_LONG, IbvSendWr.WR_ID);
        int rkey = raw.get(JAVA_INT, IbvSendWr.RDMA_RKEY);
        // An atomic write needs no flag INLINE, because the user-space driver always reads the payload during the post.
        int flags = raw.get(JAVA_INT, IbvSendWr.SEND_FLAGS) & ~SendFlag.INLINE.mask();
        return operation == SendOpcode.ATOMIC_WRITE
                ? calls.atomicWrite(id, flags, rkey, remoteAddress, entries.firstAddress())
                : calls.flush(id, flags, rkey, remoteAddress, flushLength, flushPlacement, flushTarget);
    }

    private boolean has(SendFlag flag) {
        return (raw.get(JAVA_INT, IbvSendWr.SEND_FLAGS) & flag.mask()) != 0;
    }

    private SendWorkRequest begin(SendOpcode opcode) {
        batch.changed(index);
        operation = opcode;
        defect = PostRefusal.NONE;
        ownBytes = false;
        inlineLength = 0;
        remoteAddress = 0;
        destination = null;
        window = null;
        bound = null;
        entries.clear();
        raw.set(JAVA_LONG, IbvSendWr.WR_ID, 0);
        raw.set(JAVA_INT, IbvSendWr.NUM_SGE, 0);
        raw.set(JAVA_INT, IbvSendWr.OPCODE, opcode.code());
        raw.set(JAVA_INT, IbvSendWr.SEND_FLAGS, 0);
        // The user-space driver of Soft-RoCE refuses a BIND_MW work request whose imm_data is not 0.
        raw.set(JAVA_INT, IbvSendWr.IMM_DATA, 0);
        return this;
    }

    private SendWorkRequest begin(SendOpcode opcode, long address, int rkey) {
        begin(opcode);
        remoteAddress = address;
        raw.set(JAVA_LONG, IbvSendWr.REMOTE_ADDR, address);
        raw.set(JAVA_INT, IbvSendWr.RDMA_RKEY, rkey);
        return this;
    }

    private SendWorkRequest atomic(SendOpcode opcode, long address, int rkey, long compareOrAdd, long swap) {
        begin(opcode);
        remoteAddress = address;
        raw.set(JAVA_LONG, IbvSendWr.REMOTE_ADDR, address);
        raw.set(JAVA_LONG, IbvSendWr.COMPARE_ADD, compareOrAdd);
        raw.set(JAVA_LONG, IbvSendWr.SWAP, swap);
        raw.set(JAVA_INT, IbvSendWr.ATOMIC_RKEY, rkey);
        return this;
    }

    private SendWorkRequest set(SendFlag flag) {
        batch.changed(index);
        raw.set(JAVA_INT, IbvSendWr.SEND_FLAGS, raw.get(JAVA_INT, IbvSendWr.SEND_FLAGS) | flag.mask());
        return this;
    }

    @Override
    public SendWorkRequest send() {
        return begin(SendOpcode.SEND);
    }

    @Override
    public SendWorkRequest sendWithImmediate(int immediateData) {
        begin(SendOpcode.SEND_WITH_IMM);
        raw.set(NETWORK_INT, IbvSendWr.IMM_DATA, immediateData);
        return this;
    }

    @Override
    public SendWorkRequest sendWithInvalidate(int rkey) {
        begin(SendOpcode.SEND_WITH_INV);
        raw.set(JAVA_INT, IbvSendWr.IMM_DATA, rkey);
        return this;
    }

    @Override
    public SendWorkRequest rdmaWrite(long address, int rkey) {
        return begin(SendOpcode.RDMA_WRITE, address, rkey);
    }

    @Override
    public SendWorkRequest rdmaWriteWithImmediate(long address, int rkey, int immediateData) {
        begin(SendOpcode.RDMA_WRITE_WITH_IMM, address, rkey);
        raw.set(NETWORK_INT, IbvSendWr.IMM_DATA, immediateData);
        return this;
    }

    @Override
    public SendWorkRequest rdmaRead(long address, int rkey) {
        return begin(SendOpcode.RDMA_READ, address, rkey);
    }

    @Override
    public SendWorkRequest compareAndSwap(long address, int rkey, long compare, long swap) {
        return atomic(SendOpcode.ATOMIC_CMP_AND_SWP, address, rkey, compare, swap);
    }

    @Override
    public SendWorkRequest fetchAndAdd(long address, int rkey, long add) {
        return atomic(SendOpcode.ATOMIC_FETCH_AND_ADD, address, rkey, add, 0);
    }

    @Override
    public SendWorkRequest atomicWrite(long address, int rkey) {
        return begin(SendOpcode.ATOMIC_WRITE, address, rkey);
    }

    @Override
    public SendWorkRequest flush(long address, int rkey, long length, FlushTarget target, FlushPlacement placement) {
        begin(SendOpcode.FLUSH, address, rkey);
        flushLength = length;
        flushTarget = target;
        flushPlacement = placement;
        return this;
    }

    @Override
    public SendWorkRequest bindMemoryWindow(MemoryWindow mw, int newRkey, MemoryWindowBinding binding) {
        begin(SendOpcode.BIND_MW);
        if (!(mw instanceof NativeMw ownWindow)
                || mw.type() != MemoryWindowType.TYPE_2
                || !ownWindow.protectionDomain().device().equals(limits.device())
                || !(binding.region() instanceof NativeMr region)
                || !region.device().equals(limits.device())) {
            // A type 1 memory window cannot be bound by a posted request, but only by ibv_bind_mw, which computes the
            // window's new key.
            defect = PostRefusal.FOREIGN_OBJECT;
            return this;
        }
        window = ownWindow;
        bound = region;
        newKey = newRkey;
        raw.set(ADDRESS, IbvSendWr.BIND_MW, ownWindow.handle().pointer());
        raw.set(JAVA_INT, IbvSendWr.BIND_RKEY, newRkey);
        region.writeBinding(raw, IbvSendWr.BIND_INFO, binding);
        return this;
    }

    @Override
    public SendWorkRequest localInvalidate(int rkey) {
        begin(SendOpcode.LOCAL_INV);
        raw.set(JAVA_INT, IbvSendWr.IMM_DATA, rkey);
        return this;
    }

    @Override
    public SendWorkRequest id(long workRequestId) {
        raw.set(JAVA_LONG, IbvSendWr.WR_ID, workRequestId);
        return this;
    }

    @Override
    public SendWorkRequest signaled() {
        return set(SendFlag.SIGNALED);
    }

    @Override
    public SendWorkRequest solicited() {
        return set(SendFlag.SOLICITED);
    }

    @Override
    public SendWorkRequest fence() {
        return set(SendFlag.FENCE);
    }

    @Override
    public SendWorkRequest inline() {
        return set(SendFlag.INLINE);
    }

    @Override
    public SendWorkRequest inlineData(MemorySegment data) {
        set(SendFlag.INLINE);
        ownBytes = true;
        inlineLength = data.byteSize();
        if (inlineLength <= limits.capabilities().maxInlineData()) {
            MemorySegment.copy(data, 0, inlineBytes, 0, inlineLength);
            entries.replace(inlineBytes, inlineLength);
        } else {
            entries.clear();
        }
        raw.set(JAVA_INT, IbvSendWr.NUM_SGE, entries.count());
        return this;
    }

    @Override
    public SendWorkRequest sge(MemoryRegion region, long offset, long length) {
        beginEntry();
        entries.add(region, offset, length);
        raw.set(JAVA_INT, IbvSendWr.NUM_SGE, entries.count());
        return this;
    }

    @Override
    public SendWorkRequest sge(long address, long length, int lkey) {
        beginEntry();
        entries.add(address, length, lkey);
        raw.set(JAVA_INT, IbvSendWr.NUM_SGE, entries.count());
        return this;
    }

    private void beginEntry() {
        if (ownBytes) {
            throw new IllegalStateException("inlineData() has set the whole message; no more data can be added");
        }
        batch.changed(index);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Devices are compared by identity.
    public SendWorkRequest to(AddressHandle handle, int remoteQpn, int remoteQkey) {
        batch.changed(index);
        if (handle instanceof NativeAh own && own.protectionDomain().device() == limits.device()) {
            destination = own;
            raw.set(ADDRESS, IbvSendWr.AH, own.handle().pointer());
            raw.set(JAVA_INT, IbvSendWr.REMOTE_QPN, remoteQpn);
            raw.set(JAVA_INT, IbvSendWr.REMOTE_QKEY, remoteQkey);
        } else {
            defect = PostRefusal.FOREIGN_OBJECT;
        }
        return this;
    }

    @Override
    public String toString() {
        return operation + " " + raw.get(JAVA_LONG, IbvSendWr.WR_ID);
    }
}
