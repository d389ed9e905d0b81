// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.verbs.FlushPlacement;
import dev.verbena.verbs.FlushTarget;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;

/** The measured operations of the data path, each with a factory for the verbs objects that it uses. */
public enum Operation {
    SEND,
    SEND_WITH_IMM,
    /** Before each SEND_WITH_INV, the responder posts a REG_MR with a new R_Key, which the SEND_WITH_INV invalidates. */
    SEND_WITH_INV,
    RDMA_WRITE,
    RDMA_WRITE_WITH_IMM,
    RDMA_READ,
    ATOMIC_CMP_AND_SWP,
    ATOMIC_FETCH_AND_ADD,
    ATOMIC_WRITE,
    FLUSH,
    /** BIND_MW of a memory window of type 2, and LOCAL_INV of the window. */
    BIND_MW_AND_LOCAL_INVALIDATE,
    /** REG_MR of one page, and LOCAL_INV of the memory region. */
    REGISTER_MR_AND_LOCAL_INVALIDATE,
    UC_SEND,
    UC_SEND_WITH_IMMEDIATE,
    UC_RDMA_WRITE,
    UC_RDMA_WRITE_WITH_IMMEDIATE,
    UD_SEND,
    UD_SEND_WITH_IMMEDIATE;

    private static final long WORD = Long.BYTES;
    private static final int IMMEDIATE = 7;

    /**
     * Creates the verbs objects and work requests of this operation. {@code bytes} is the length of the message, memory
     * window or flush; atomics and REG_MR ignore {@code bytes}. The returned {@code Work} can be executed repeatedly.
     */
    Work prepare(int bytes) throws VerbsException {
        return switch (this) {
            case SEND -> toReceive(QpType.RC, bytes, SendWorkRequest::send);
            case SEND_WITH_IMM -> toReceive(QpType.RC, bytes, wr -> wr.sendWithImmediate(IMMEDIATE));
            case SEND_WITH_INV -> new InvalidatingWork(bytes);
            case RDMA_WRITE -> oneSided(QpType.RC, bytes, (wr, far) -> wr.rdmaWrite(far.address(), far.rkey()));
            case RDMA_WRITE_WITH_IMM -> writeWithImmediate(QpType.RC, bytes);
            case RDMA_READ -> oneSided(QpType.RC, bytes, (wr, far) -> wr.rdmaRead(far.address(), far.rkey()));
            case ATOMIC_CMP_AND_SWP ->
                oneSided(QpType.RC, WORD, (wr, far) -> wr.compareAndSwap(far.address(), far.rkey(), 0, 0));
            case ATOMIC_FETCH_AND_ADD ->
                oneSided(QpType.RC, WORD, (wr, far) -> wr.fetchAndAdd(far.address(), far.rkey(), 1));
            case ATOMIC_WRITE -> oneSided(QpType.RC, WORD, (wr, far) -> wr.atomicWrite(far.address(), far.rkey()));
            case FLUSH ->
                oneSided(
                        QpType.RC,
                        0,
                        (wr, far) ->
                                wr.flush(far.address(), far.rkey(), bytes, FlushTarget.RANGE, FlushPlacement.GLOBAL));
            case BIND_MW_AND_LOCAL_INVALIDATE -> new BindingWork(bytes);
            case REGISTER_MR_AND_LOCAL_INVALIDATE -> new RegisteringWork();
            case UC_SEND -> toReceive(QpType.UC, bytes, SendWorkRequest::send);
            case UC_SEND_WITH_IMMEDIATE -> toReceive(QpType.UC, bytes, wr -> wr.sendWithImmediate(IMMEDIATE));
            case UC_RDMA_WRITE -> oneSided(QpType.UC, bytes, (wr, far) -> wr.rdmaWrite(far.address(), far.rkey()));
            case UC_RDMA_WRITE_WITH_IMMEDIATE -> writeWithImmediate(QpType.UC, bytes);
            case UD_SEND -> datagram(bytes, SendWorkRequest::send);
            case UD_SEND_WITH_IMMEDIATE -> datagram(bytes, wr -> wr.sendWithImmediate(IMMEDIATE));
        };
    }

    /** Sets the opcode, the remote address and the R_Key of a send work request. */
    private interface Remote {
        SendWorkRequest begin(SendWorkRequest request, MemoryRegion far);
    }

    /** Sets the opcode of a send work request that has no remote address. */
    private interface Plain {
        SendWorkRequest begin(SendWorkRequest request);
    }

    private static Work oneSided(QpType type, long bytes, Remote operation) throws VerbsException {
        return new PostedWork(new Link(type, PostedWork.MEMORY), false, (requests, link) -> {
            SendWorkRequest request =
                    operation.begin(requests.get(0), link.right.region).signaled();
            if (bytes > 0) {
                request.sge(link.left.region, 0, bytes);
            }
        });
    }

    private static Work writeWithImmediate(QpType type, int bytes) throws VerbsException {
        return new PostedWork(
                new Link(type, PostedWork.MEMORY),
                true,
                (requests, link) -> requests.get(0)
                        .rdmaWriteWithImmediate(link.right.region.address(), link.right.region.rkey(), IMMEDIATE)
                        .signaled()
                        .sge(link.left.region, 0, bytes));
    }

    private static Work toReceive(QpType type, int bytes, Plain operation) throws VerbsException {
        return new PostedWork(
                new Link(type, PostedWork.MEMORY),
                true,
                (requests, link) -> operation.begin(requests.get(0)).signaled().sge(link.left.region, 0, bytes));
    }

    private static Work datagram(int bytes, Plain operation) throws VerbsException {
        return new PostedWork(
                new Link(QpType.UD, PostedWork.MEMORY),
                true,
                (requests, link) -> operation
                        .begin(requests.get(0))
                        .signaled()
                        .to(link.right.addressFrom(link.left), link.right.queuePair.number(), Link.QKEY)
                        .sge(link.left.region, 0, bytes));
    }
}
