// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend.RdmaMod;
import com.ibm.disni.verbs.SVCPostSend.SendWRMod;
import com.ibm.disni.verbs.SVCPostSend.SgeMod;
import dev.verbena.verbs.SendFlag;
import dev.verbena.verbs.SendWorkRequest;
import java.io.IOException;
import java.util.List;

/**
 * The fields of one send request in a stateful verb call of DiSNI. Between two executions of the stateful verb call, the
 * application may change the send request's id, flags, memory addresses, lengths, lkeys and rkey.
 */
final class SendRecord implements SendWRMod, RdmaMod {
    private final int opcode;
    private final int immediateData;
    private final long compareOrAdd;
    private final long swap;
    private final Entry[] entries;
    private long id;
    private int flags;
    private long remoteAddress;
    private int rkey;
    private int reserved;
    private boolean changed = true;

    SendRecord(IbvSendWR from) {
        opcode = from.getOpcode();
        immediateData = from.getImm_data();
        id = from.getWr_id();
        flags = from.getSend_flags();
        compareOrAdd = from.getAtomic().getCompare_add();
        swap = from.getAtomic().getSwap();
        boolean atomic =
                opcode == IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD;
        remoteAddress =
                atomic ? from.getAtomic().getRemote_addr() : from.getRdma().getRemote_addr();
        rkey = atomic ? from.getAtomic().getRkey() : from.getRdma().getRkey();
        reserved = from.getRdma().getReserved();
        List<IbvSge> list = from.getSg_list();
        entries = list == null ? new Entry[0] : list.stream().map(Entry::new).toArray(Entry[]::new);
    }

    /** Writes the recorded fields to the provider's request if a field has changed since the last call. */
    void update(SendWorkRequest request, BridgeContext device) throws IOException {
        if (!changed) {
            return;
        }
        operation(request).id(id);
        if ((flags & SendFlag.FENCE.mask()) != 0) {
            request.fence();
        }
        if ((flags & SendFlag.SIGNALED.mask()) != 0) {
            request.signaled();
        }
        if ((flags & SendFlag.SOLICITED.mask()) != 0) {
            request.solicited();
        }
        if ((flags & SendFlag.INLINE.mask()) != 0) {
            request.inline();
        }
        for (Entry entry : entries) {
            request.sge(entry.address, Integer.toUnsignedLong(entry.length), device.lkeyOf(entry.lkey));
        }
        changed = false;
    }

    private SendWorkRequest operation(SendWorkRequest request) throws IOException {
        return switch (opcode) {
            case IbvSendWR.IBV_WR_SEND -> request.send();
            case IbvSendWR.IBV_WR_SEND_WITH_IMM -> request.sendWithImmediate(immediateData);
            case IbvSendWR.IBV_WR_RDMA_WRITE -> request.rdmaWrite(remoteAddress, rkey);
            case IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM ->
                request.rdmaWriteWithImmediate(remoteAddress, rkey, immediateData);
            case IbvSendWR.IBV_WR_RDMA_READ -> request.rdmaRead(remoteAddress, rkey);
            case IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP -> request.compareAndSwap(remoteAddress, rkey, compareOrAdd, swap);
            case IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD -> request.fetchAndAdd(remoteAddress, rkey, compareOrAdd);
            default -> throw new IOException("ibv_post_send: there is no opcode " + opcode + " (EINVAL)");
        };
    }

    @Override
    public void setWr_id(long value) {
        id = value;
        changed = true;
    }

    @Override
    public long getWr_id() {
        return id;
    }

    @Override
    public void setSend_flags(int value) {
        flags = value;
        changed = true;
    }

    @Override
    public int getSend_flags() {
        return flags;
    }

    @Override
    public int getNum_sge() {
        return entries.length;
    }

    @Override
    public int getOpcode() {
        return opcode;
    }

    @Override
    public RdmaMod getRdmaMod() {
        return this;
    }

    @Override
    public SgeMod getSgeMod(int index) {
        return entries[index];
    }

    @Override
    public void setRemote_addr(long value) {
        remoteAddress = value;
        changed = true;
    }

    @Override
    public long getRemote_addr() {
        return remoteAddress;
    }

    @Override
    public void setRkey(int value) {
        rkey = value;
        changed = true;
    }

    @Override
    public int getRkey() {
        return rkey;
    }

    /** Does nothing, because this field is only padding in the C structure. */
    @Override
    public void setReserved(int value) {
        reserved = value;
    }

    @Override
    public int getReserved() {
        return reserved;
    }

    private final class Entry implements SgeMod {
        private long address;
        private int length;
        private int lkey;

        Entry(IbvSge from) {
            address = from.getAddr();
            length = from.getLength();
            lkey = from.getLkey();
        }

        @Override
        public void setAddr(long value) {
            address = value;
            changed = true;
        }

        @Override
        public long getAddr() {
            return address;
        }

        @Override
        public void setLength(int value) {
            length = value;
            changed = true;
        }

        @Override
        public int getLength() {
            return length;
        }

        @Override
        public void setLkey(int value) {
            lkey = value;
            changed = true;
        }

        @Override
        public int getLkey() {
            return lkey;
        }
    }
}
