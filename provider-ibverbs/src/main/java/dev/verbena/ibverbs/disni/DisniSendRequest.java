// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvSendWR;
import dev.verbena.spi.AbstractSendWorkRequest;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendWorkRequest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A send request. {@link #post} refuses each opcode for which DiSNI does not pass all fields to libibverbs. */
final class DisniSendRequest extends AbstractSendWorkRequest {
    /** The opcodes for which DiSNI passes all fields of a send request to libibverbs. */
    private static final Set<SendOpcode> CARRIED = Set.of(
            SendOpcode.SEND,
            SendOpcode.SEND_WITH_IMM,
            SendOpcode.RDMA_WRITE,
            SendOpcode.RDMA_WRITE_WITH_IMM,
            SendOpcode.RDMA_READ);

    private final DisniQp owner;
    private final SgeList entries;
    private final MemorySegment inlineBytes;
    private @Nullable SendOpcode operation;
    private long id;
    private int flags;
    private int immediate;
    private long remoteAddress;
    private int remoteKey;
    private boolean ownBytes;
    private long inlineLength;

    DisniSendRequest(DisniQp owner) {
        this.owner = owner;
        entries = new SgeList(owner.opened(), owner.capabilities().maxSendSge());
        inlineBytes = Arena.ofAuto().allocate(Math.max(1, owner.capabilities().maxInlineData()));
    }

    PostRefusal post() throws IOException {
        PostRefusal defect = check();
        if (defect != PostRefusal.NONE) {
            return defect;
        }
        if (!has(SendFlag.INLINE)) {
            return owner.send(id, toDisni());
        }
        if (!entries.hold()) {
            return PostRefusal.FOREIGN_OBJECT;
        }
        try {
            return owner.send(id, toDisni());
        } finally {
            entries.release();
        }
    }

    private PostRefusal check() {
        SendOpcode chosen = operation;
        if (chosen == null) {
            return PostRefusal.NO_OPERATION;
        }
        if (!CARRIED.contains(chosen)) {
            return PostRefusal.OPCODE_NOT_SUPPORTED;
        }
        if (entries.defect() != PostRefusal.NONE) {
            return entries.defect();
        }
        if (chosen == SendOpcode.RDMA_READ
                && entries.count()
                        > owner.protectionDomain().device().attributes().maxSgeRd()) {
            return PostRefusal.TOO_MANY_SGES;
        }
        if (has(SendFlag.INLINE) && !chosen.allowsInline()) {
            return PostRefusal.BAD_FLAGS;
        }
        if (has(SendFlag.INLINE) && entries.hasKeys()) {
            return PostRefusal.INLINE_KEY_UNKNOWN;
        }
        long length = ownBytes ? inlineLength : entries.length();
        if (has(SendFlag.INLINE) && length > owner.capabilities().maxInlineData()) {
            return PostRefusal.INLINE_TOO_LONG;
        }
        return length > DeviceFacts.MAX_LENGTH ? PostRefusal.MESSAGE_TOO_LONG : PostRefusal.NONE;
    }

    /**
     * Returns the {@link IbvSendWR} of the request, in which {@link DisniQp#send} later sets the work request id. DiSNI
     * copies immediate data without conversion, but libibverbs expects network byte order.
     */
    private IbvSendWR toDisni() {
        SendOpcode chosen = operation;
        IbvSendWR raw = new IbvSendWR();
        raw.setOpcode(chosen == null ? 0 : chosen.code());
        raw.setSend_flags(owner.signalsAll() ? flags | SendFlag.SIGNALED.mask() : flags);
        raw.setImm_data(inNetworkOrder(immediate));
        raw.getRdma().setRemote_addr(remoteAddress);
        raw.getRdma().setRkey(remoteKey);
        raw.setSg_list(entries.toDisni());
        raw.setNum_sge(entries.count());
        return raw;
    }

    /** Converts an integer between this machine's byte order and network byte order, in both directions. */
    static int inNetworkOrder(int value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private boolean has(SendFlag flag) {
        return (flags & flag.mask()) != 0;
    }

    private SendWorkRequest begin(SendOpcode opcode, long address, int rkey, int immediateData) {
        operation = opcode;
        id = 0;
        flags = 0;
        immediate = immediateData;
        remoteAddress = address;
        remoteKey = rkey;
        ownBytes = false;
        inlineLength = 0;
        entries.clear();
        return this;
    }

    private SendWorkRequest begin(SendOpcode opcode) {
        return begin(opcode, 0, 0, 0);
    }

    private SendWorkRequest set(SendFlag flag) {
        flags |= flag.mask();
        return this;
    }

    @Override
    protected SendWorkRequest unsupported(SendOpcode chosen) {
        return begin(chosen);
    }

    @Override
    public SendWorkRequest send() {
        return begin(SendOpcode.SEND);
    }

    @Override
    public SendWorkRequest sendWithImmediate(int immediateData) {
        return begin(SendOpcode.SEND_WITH_IMM, 0, 0, immediateData);
    }

    @Override
    public SendWorkRequest rdmaWrite(long address, int rkey) {
        return begin(SendOpcode.RDMA_WRITE, address, rkey, 0);
    }

    @Override
    public SendWorkRequest rdmaWriteWithImmediate(long address, int rkey, int immediateData) {
        return begin(SendOpcode.RDMA_WRITE_WITH_IMM, address, rkey, immediateData);
    }

    @Override
    public SendWorkRequest rdmaRead(long address, int rkey) {
        return begin(SendOpcode.RDMA_READ, address, rkey, 0);
    }

    @Override
    public SendWorkRequest id(long workRequestId) {
        id = workRequestId;
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
        ownBytes = true;
        inlineLength = data.byteSize();
        entries.clear();
        if (inlineLength <= owner.capabilities().maxInlineData()) {
            MemorySegment.copy(data, 0, inlineBytes, 0, inlineLength);
            entries.replace(inlineBytes, inlineLength);
        }
        return set(SendFlag.INLINE);
    }

    @Override
    public SendWorkRequest sge(MemoryRegion region, long offset, long length) {
        if (ownBytes) {
            throw new IllegalStateException("inlineData() has set the whole message; no more data can be added");
        }
        entries.add(region, offset, length);
        return this;
    }

    @Override
    public SendWorkRequest sge(long address, long length, int lkey) {
        if (ownBytes) {
            throw new IllegalStateException("inlineData() has set the whole message; no more data can be added");
        }
        entries.add(address, length, lkey);
        return this;
    }

    @Override
    public String toString() {
        return operation + " " + id;
    }
}
