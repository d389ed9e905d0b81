// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvDeviceAttr;
import dev.verbena.ibverbs.struct.IbvQpAttr;
import dev.verbena.ibverbs.struct.IbvSrqAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two control calls on one object at once: the object's record of the device's answer is that of the later call. */
class ControlCallsTest {
    private static final Set<Thread.State> STOPPED =
            Set.of(Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

    private static final int SRQ_RESIZE = 1 << 13;

    private final FakeLibrary library = new FakeLibrary();

    private interface Call {
        void run() throws Exception;
    }

    /** Runs in another thread, while the first call is in the library; returns when the call has ended or waits. */
    private static final class Second {
        private final Call call;
        private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

        Second(Call call) {
            this.call = call;
        }

        void runOnce() {
            Thread runner = Thread.ofPlatform().daemon().unstarted(() -> {
                try {
                    call.run();
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
            if (thread.compareAndSet(null, runner)) {
                runner.start();
                while (!STOPPED.contains(runner.getState())) {
                    Thread.onSpinWait();
                }
            }
        }

        void join() throws InterruptedException {
            Thread runner = thread.get();
            assertThat(runner).isNotNull();
            runner.join();
        }
    }

    @Test
    void aSharedReceiveQueueKnowsTheDepthOfTheLaterResize() throws Exception {
        library.limit(IbvDeviceAttr.MAX_SRQ, 4);
        library.limit(IbvDeviceAttr.MAX_SRQ_WR, 64);
        library.limit(IbvDeviceAttr.MAX_SRQ_SGE, 4);
        library.limit(IbvDeviceAttr.DEVICE_CAP_FLAGS, SRQ_RESIZE);
        when(library.queuePairs.createSrq(any(), any(), any()))
                .thenAnswer(call -> FakeLibrary.pointer(library.arena.allocate(64)));
        when(library.queuePairs.querySrq(any(), any(), any())).thenAnswer(call -> {
            ((MemorySegment) call.getArgument(2)).set(JAVA_INT, IbvSrqAttr.MAX_WR, 8);
            ((MemorySegment) call.getArgument(2)).set(JAVA_INT, IbvSrqAttr.MAX_SGE, 1);
            return 0;
        });
        Device device = library.open();
        SharedReceiveQueue srq = device.allocatePd()
                .createSrq(SrqInitAttributes.builder().maxWr(8).maxSge(1).build());
        Second smaller = new Second(() -> srq.resize(10));
        when(library.queuePairs.modifySrq(any(), any(), any(), anyInt())).thenAnswer(call -> {
            smaller.runOnce();
            return 0;
        });

        srq.resize(60);

        smaller.join();
        VerbsException refused = catchThrowableOfType(VerbsException.class, () -> srq.armLimit(20));
        assertThat(refused).isNotNull();
        assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    }

    @Test
    void anAnswerThatAModifyOvertookDoesNotLetSendsPass() throws Exception {
        Device device = library.open();
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(4));
        QueuePair qp = device.allocatePd().createQp(QpInitAttributes.rc(cq, QpCapabilities.of(4, 4)));
        qp.modify(QpAttributes.builder().state(QpState.RTS).build());
        AtomicReference<QpState> ofDevice = new AtomicReference<>(QpState.RTS);
        when(library.queuePairs.queryQp(any(), any(), any(), anyInt(), any())).thenAnswer(call -> {
            QpState answer = ofDevice.getAndSet(QpState.RESET);
            ((MemorySegment) call.getArgument(2)).set(JAVA_INT, IbvQpAttr.QP_STATE, answer.code());
            if (answer == QpState.RTS) {
                qp.modify(QpAttributes.builder().state(QpState.RESET).build());
            }
            return 0;
        });

        qp.state();

        SendRequests sends = qp.newSendRequests(1);
        sends.get(0).send();
        assertThat(qp.postSend(sends, 1)).isZero();
        assertThat(sends.refusal()).isEqualTo(PostRefusal.WRONG_STATE);
    }

    @Test
    void anAcceptThatComesTooLateNamesThePeer() {
        assertThat(Outcome.refusal(Errno.ECONNRESET.number(), "rdma_accept", "accepting", "resolve or bind first"))
                .hasMessageContaining("the peer has ended its connection request")
                .hasMessageNotContaining("resolve or bind first");
    }

    /** A connection request of iWARP fails within the call, because the call opens the TCP connection. */
    @Test
    void aRefusedTcpConnectionNamesTheListener() {
        assertThat(Outcome.refusal(Errno.ECONNREFUSED.number(), "rdma_connect", "connecting", "resolve or bind first"))
                .hasMessageContaining("no listener of the peer has this port")
                .hasMessageNotContaining("resolve or bind first");
    }
}
