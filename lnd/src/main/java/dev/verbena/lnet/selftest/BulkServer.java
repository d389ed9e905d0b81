// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Lnd;
import dev.verbena.lnet.Lnet;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.TimedOperation;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Transfers the data of brw tests: generates and PUTs the data if the client reads, or GETs and checks the data if the
 * client writes. Source: {@code brw_test.c}.
 */
final class BulkServer {

    private static final int PAGE = 4096;

    private static final int PUT_EVENTS = 1;
    private static final int GET_EVENTS = 2;

    /**
     * The result of a transfer.
     *
     * @param status 0 or a positive errno
     * @param got the number of bytes fetched from the client by GET
     * @param put the number of bytes sent to the client by PUT
     */
    record Result(int status, long got, long put) {
        static Result failed(int status) {
            return new Result(status, 0, 0);
        }
    }

    private final Lnet node;

    /**
     * The number of bytes allocated for the transfers of each client. If a client's allocated bytes plus a new transfer's
     * length exceed the free bytes of the node's registered memory region, the transfer fails with ENOMEM. The transfers of
     * one client occupy at most about half of this memory region.
     */
    private final Map<Nid, Long> heldBy = new HashMap<>();

    BulkServer(Lnet node) {
        this.node = node;
    }

    /**
     * Starts a transfer. The caller must hold the server's lock. If the server refuses the transfer, {@code move} passes
     * the errno to {@code ended} before {@code move} returns.
     */
    void move(SelftestServer.Caller caller, SelftestRequest.Brw brw, int features, Consumer<Result> ended) {
        int refusal = refusal(brw, features);
        if (refusal != 0) {
            ended.accept(Result.failed(refusal));
            return;
        }
        long held = held(caller.process());
        MemorySegment data;
        try {
            if (held + brw.length() > node.freeMemory()) {
                ended.accept(Result.failed(Errno.ENOMEM.number()));
                return;
            }
            data = node.allocate(brw.length());
        } catch (VerbsException e) {
            ended.accept(Result.failed(Errno.ENOMEM.number()));
            return;
        }
        synchronized (heldBy) {
            heldBy.merge(caller.process().nid(), data.byteSize(), Long::sum);
        }
        try {
            start(caller, brw, data, ended);
        } catch (RuntimeException | Error e) {
            release(caller.process(), data);
            throw e;
        }
    }

    private void start(
            SelftestServer.Caller caller, SelftestRequest.Brw brw, MemorySegment data, Consumer<Result> ended) {
        DataCheck check = DataCheck.numbered(brw.check());
        boolean reads = brw.opcode() == SelftestRequest.Brw.READ;
        if (reads) {
            check.fill(data, caller.order());
        }
        TimedOperation.start(
                node,
                MemoryDescriptor.over(data).threshold(reads ? PUT_EVENTS : GET_EVENTS),
                Rpc.TIMEOUT,
                md -> begin(md, caller.process(), brw.bulkBits(), reads),
                result -> {
                    int status = result.isSuccess() && !reads
                            ? examine(data, result.length(), check, caller.order())
                            : -result.status();
                    release(caller.process(), data);
                    long bytes = result.isSuccess() ? data.byteSize() : 0;
                    ended.accept(new Result(status, reads ? 0 : bytes, reads ? bytes : 0));
                });
    }

    private long held(ProcessId client) {
        synchronized (heldBy) {
            return heldBy.getOrDefault(client.nid(), 0L);
        }
    }

    private void release(ProcessId client, MemorySegment data) {
        synchronized (heldBy) {
            heldBy.compute(client.nid(), (_, held) -> held == data.byteSize() ? null : held - data.byteSize());
        }
        node.free(data);
    }

    private void begin(MemoryDescriptor md, ProcessId client, long bits, boolean reads) {
        if (reads) {
            node.put(md, false, client, SelftestService.REPLY_PORTAL, bits, 0, 0);
        } else {
            node.get(md, client, SelftestService.REPLY_PORTAL, bits, 0);
        }
    }

    private static int examine(MemorySegment data, long arrived, DataCheck check, ByteOrder order) {
        if (arrived != data.byteSize()) {
            return Errno.EMSGSIZE.number();
        }
        return check.firstWrong(data, order) < 0 ? SelftestStatus.OK : SelftestStatus.EBADMSG;
    }

    private static int refusal(SelftestRequest.Brw brw, int features) {
        boolean known = brw.opcode() == SelftestRequest.Brw.READ || brw.opcode() == SelftestRequest.Brw.WRITE;
        boolean fits = brw.length() > 0 && brw.length() <= Lnd.MAX_PAYLOAD && brw.length() % Long.BYTES == 0;
        boolean whole = (features & SelftestMessage.FEATURE_BULK_LENGTH) != 0 || brw.length() % PAGE == 0;
        return known && fits && whole && DataCheck.isNumber(brw.check()) ? SelftestStatus.OK : Errno.EINVAL.number();
    }
}
