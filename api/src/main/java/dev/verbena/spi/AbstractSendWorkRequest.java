// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendWorkRequest;

/**
 * A send work request for a device whose only opcode is SEND. An application can set an opcode that the device does not
 * support; the post then refuses the work request with {@link dev.verbena.verbs.PostRefusal#OPCODE_NOT_SUPPORTED}. Not
 * thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractSendWorkRequest implements SendWorkRequest {
    /** Creates an empty work request. */
    protected AbstractSendWorkRequest() {}

    /**
     * Resets the work request (id 0, no flags, no scatter/gather entries), and sets an opcode that the device does not
     * support. Every post must refuse a work request whose opcode the device does not support.
     *
     * @param operation the opcode that the device does not support
     * @return this work request
     */
    protected abstract SendWorkRequest unsupported(SendOpcode operation);

    @Override
    public SendWorkRequest sendWithImmediate(int immediateData) {
        return unsupported(SendOpcode.SEND_WITH_IMM);
    }

    @Override
    public SendWorkRequest sendWithInvalidate(int rkey) {
        return unsupported(SendOpcode.SEND_WITH_INV);
    }

    @Override
    public SendWorkRequest rdmaWrite(long remoteAddress, int rkey) {
        return unsupported(SendOpcode.RDMA_WRITE);
    }

    @Override
    public SendWorkRequest rdmaWriteWithImmediate(long remoteAddress, int rkey, int immediateData) {
        return unsupported(SendOpcode.RDMA_WRITE_WITH_IMM);
    }

    @Override
    public SendWorkRequest rdmaRead(long remoteAddress, int rkey) {
        return unsupported(SendOpcode.RDMA_READ);
    }

    @Override
    public SendWorkRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
        return unsupported(SendOpcode.ATOMIC_CMP_AND_SWP);
    }

    @Override
    public SendWorkRequest fetchAndAdd(long remoteAddress, int rkey, long add) {
        return unsupported(SendOpcode.ATOMIC_FETCH_AND_ADD);
    }

    @Override
    public SendWorkRequest atomicWrite(long remoteAddress, int rkey) {
        return unsupported(SendOpcode.ATOMIC_WRITE);
    }

    @Override
    public SendWorkRequest flush(
            long remoteAddress, int rkey, long length, FlushTarget target, FlushPlacement placement) {
        return unsupported(SendOpcode.FLUSH);
    }

    @Override
    public SendWorkRequest bindMemoryWindow(MemoryWindow window, int newRkey, MemoryWindowBinding binding) {
        return unsupported(SendOpcode.BIND_MW);
    }

    @Override
    public SendWorkRequest localInvalidate(int rkey) {
        return unsupported(SendOpcode.LOCAL_INV);
    }

    /** Does nothing, because a connected queue pair needs no address handle. */
    @Override
    public SendWorkRequest to(AddressHandle handle, int remoteQpn, int remoteQkey) {
        return this;
    }
}
