// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.ibverbs.library.ContextOperations;
import dev.verbena.ibverbs.queue.NativeCq;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Posting and polling allocate nothing, including the call into native code, which is real. The called function is
 * {@code strnlen}, since the C library accepts these arguments for it. A queue pair's first byte is 0, so it returns 0
 * as a successful post does. A completion queue's bytes are not 0, so it returns the requested count.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the layouts and the library are Linux's")
class DataPathAllocationTest {
    private static final int ROUNDS = 25;
    private static final int OPERATIONS = 4_000;
    private static final double LIMIT = 0.01;
    private static final int LIST = 16;
    private static final long POINTED_TO = 4096;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final FakeLibrary fake = new FakeLibrary();
    private QueuePair qp;
    private CompletionQueue cq;
    private MemoryRegion region;

    /** The measured operations; each is executed with a batch of requests. */
    enum Step {
        SEND,
        INLINE,
        WRITE_WITH_IMMEDIATE,
        RECEIVE,
        POLL
    }

    @BeforeEach
    void open() throws VerbsException {
        MemorySegment strnlen =
                Linker.nativeLinker().defaultLookup().find("strnlen").orElseThrow();
        MemorySegment context = fake.zeroed(IbvContext.LAYOUT);
        for (long entry : new long[] {IbvContext.POST_SEND, IbvContext.POST_RECV, IbvContext.POLL_CQ}) {
            context.set(ValueLayout.ADDRESS, entry, strnlen);
        }
        Device device = fake.open(ContextOperations.of(context));
        ProtectionDomain domain = device.allocatePd();
        region = domain.registerMemory(device.newArena().allocate(4096, 8), AccessFlag.LOCAL_WRITE);
        cq = device.createCq(CqInitAttributes.ofCapacity(64));
        FakeLibrary.behind(((NativeCq) cq).handle().pointer().address(), LIST).fill((byte) 1);
        qp = domain.createQp(QpInitAttributes.rc(cq, new QpCapabilities(64, 64, 2, 2, 64)));
        qp.modify(QpAttributes.builder().state(QpState.RTS).build());
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsAllocatedBy(Step step) {
        IntSupplier work = prepared(step);
        assertThat(work.getAsInt()).isEqualTo(LIST);
        long self = Thread.currentThread().threadId();
        double least = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least > LIMIT; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < OPERATIONS; i++) {
                if (work.getAsInt() != LIST) {
                    throw new AssertionError(step + " did not take all of the list");
                }
            }
            least = Math.min(least, (double) (threads.getThreadAllocatedBytes(self) - before) / OPERATIONS);
        }
        assertThat(least).as("bytes for each " + step).isLessThanOrEqualTo(LIMIT);
    }

    /** Filling the requests is part of it, as programs do that each time. */
    private IntSupplier prepared(Step step) {
        SendRequests sends = qp.newSendRequests(LIST);
        ReceiveRequests receives = qp.newReceiveRequests(LIST);
        WorkCompletions completions = cq.newCompletions(LIST);
        MemorySegment bytes = MemorySegment.ofArray(new byte[16]);
        return switch (step) {
            case SEND ->
                () -> {
                    for (int i = 0; i < LIST; i++) {
                        sends.get(i).send().id(i).signaled().sge(region, 0, 64).sge(region, 128, 8);
                    }
                    return qp.postSend(sends, LIST);
                };
            case INLINE ->
                () -> {
                    for (int i = 0; i < LIST; i++) {
                        sends.get(i).send().id(i).inlineData(bytes);
                    }
                    return qp.postSend(sends, LIST);
                };
            case WRITE_WITH_IMMEDIATE ->
                () -> {
                    for (int i = 0; i < LIST; i++) {
                        sends.get(i)
                                .rdmaWriteWithImmediate(POINTED_TO, 7, i)
                                .signaled()
                                .sge(region, 0, 64);
                    }
                    return qp.postSend(sends, LIST);
                };
            case RECEIVE ->
                () -> {
                    for (int i = 0; i < LIST; i++) {
                        receives.get(i).clear().id(i).sge(region, 0, 4096);
                    }
                    return qp.postReceive(receives, LIST);
                };
            case POLL ->
                () -> {
                    int count = cq.poll(completions);
                    for (int i = 0; i < count; i++) {
                        if (!completions.get(i).isSuccess()) {
                            return -1;
                        }
                    }
                    return count;
                };
        };
    }
}
