// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.cm.CmEndpoint;
import dev.verbena.cm.CmEventException;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.CmListener;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.RejectReason;
import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server and a client in separate threads, with calls that wait. */
class CmEndpointTest {
    private static final Duration TIME = Duration.ofSeconds(30);
    private static final QpCapabilities SIZES = QpCapabilities.of(4, 4);
    private static final ConnectionParameters DEFAULTS =
            ConnectionParameters.builder().build();
    private static final InetSocketAddress SERVER = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.2"), 0);

    private final ThreadRuntime runtime = new ThreadRuntime(1);
    private final SimProvider provider;
    private final ConnectionManager manager;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    CmEndpointTest() throws VerbsException {
        provider = new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "10.0.0.1"), SimDeviceSpec.of("sim1", "10.0.0.2")));
        manager = provider.extension(ConnectionManager.class).orElseThrow();
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(TIME.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(provider.leaks()).isEmpty();
        provider.close();
        runtime.close();
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.get(TIME.toSeconds(), TimeUnit.SECONDS);
    }

    private static byte[] start(byte[] padded, int length) {
        return Arrays.copyOf(padded, length);
    }

    @Test
    void aServerAnswersItsClient() throws Exception {
        try (CmListener listener = CmListener.listen(manager, SERVER, SIZES, 1)) {
            Future<?> served = threads.submit((Callable<Void>) () -> {
                try (CmEndpoint end = listener.getRequest(TIME);
                        MemoryRegion region = region(end)) {
                    postReceive(end, region);
                    end.accept(
                            ConnectionParameters.builder()
                                    .privateData(new byte[] {1, 2})
                                    .build(),
                            TIME);
                    take(end.receiveCq());
                    assertThat(region.memory().getString(0)).isEqualTo("hello");
                    region.memory().setString(0, "reply");
                    send(end, region);
                    end.disconnect(TIME);
                }
                return null;
            });
            try (CmEndpoint end = CmEndpoint.create(manager, listener.address(), SIZES, TIME);
                    MemoryRegion region = region(end)) {
                assertThat(start(end.connect(DEFAULTS, TIME), 2)).containsExactly(1, 2);
                postReceive(end, region);
                region.memory().setString(0, "hello");
                send(end, region);
                take(end.receiveCq());
                assertThat(region.memory().getString(0)).isEqualTo("reply");
                end.disconnect(TIME);
            }
            join(served);
        }
    }

    private static MemoryRegion region(CmEndpoint end) throws VerbsException {
        return end.protectionDomain().registerMemory(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE);
    }

    private static void postReceive(CmEndpoint end, MemoryRegion region) throws VerbsException {
        ReceiveRequests receives = end.queuePair().newReceiveRequests(1);
        receives.get(0).sge(region, 0, 64);
        end.queuePair().postAll(receives, 1);
    }

    private static void send(CmEndpoint end, MemoryRegion region) throws Exception {
        SendRequests sends = end.queuePair().newSendRequests(1);
        sends.get(0).send().signaled().sge(region, 0, 6);
        end.queuePair().postAll(sends, 1);
        take(end.sendCq());
    }

    private static void take(CompletionQueue cq) throws Exception {
        WorkCompletions done = cq.newCompletions(1);
        cq.await(done, TIME);
        assertThat(done.get(0).isSuccess()).as("%s", done.get(0).explain()).isTrue();
    }

    @Test
    void aRejectedClientGetsTheReasonAndThePrivateData() throws Exception {
        try (CmListener listener = CmListener.listen(manager, SERVER, SIZES, 1)) {
            Future<?> served = threads.submit((Callable<Void>) () -> {
                try (CmEndpoint end = listener.getRequest(TIME)) {
                    end.reject(new byte[] {7});
                }
                return null;
            });
            try (CmEndpoint end = CmEndpoint.create(manager, listener.address(), SIZES, TIME)) {
                assertThatExceptionOfType(CmEventException.class)
                        .isThrownBy(() -> end.connect(DEFAULTS, TIME))
                        .satisfies(rejected -> {
                            assertThat(rejected.errno()).isEqualTo(Errno.ECONNREFUSED);
                            assertThat(rejected.type()).isEqualTo(CmEventType.REJECTED);
                            assertThat(rejected.rejectReason()).contains(RejectReason.CONSUMER_DEFINED);
                            assertThat(start(rejected.privateData(), 1)).containsExactly(7);
                            assertThat(rejected).hasMessageContaining("CONSUMER_DEFINED");
                        });
            }
            join(served);
        }
    }

    @Test
    void connectingFailsWithoutAListener() throws Exception {
        try (CmEndpoint end =
                CmEndpoint.create(manager, new InetSocketAddress(SERVER.getAddress(), 4791), SIZES, TIME)) {
            assertThatExceptionOfType(CmEventException.class)
                    .isThrownBy(() -> end.connect(DEFAULTS, TIME))
                    .satisfies(
                            rejected -> assertThat(rejected.rejectReason()).contains(RejectReason.INVALID_SERVICE_ID));
        }
    }

    @Test
    void aCallThatWaitsObeysClose() throws Exception {
        CmListener listener = CmListener.listen(manager, SERVER, SIZES, 1);
        Future<CmEndpoint> waiting = threads.submit(() -> listener.getRequest(TIME));
        listener.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> join(waiting))
                .satisfies(ended ->
                        assertThat(((VerbsException) ended.getCause()).errno()).isEqualTo(Errno.EBADF));
        listener.close();
    }

    @Test
    void everyWaitHasADeadline() throws Exception {
        try (VirtualRuntime virtual = new VirtualRuntime(1);
                SimProvider quiet = new SimProvider(
                        virtual, new InProcessFabric(virtual), List.of(SimDeviceSpec.of("sim0", "10.0.0.2")))) {
            ConnectionManager alone = quiet.extension(ConnectionManager.class).orElseThrow();
            assertThatExceptionOfType(VerbsException.class)
                    .isThrownBy(() -> CmEndpoint.create(
                            alone, new InetSocketAddress(InetAddress.ofLiteral("192.0.2.77"), 1), SIZES, TIME))
                    .satisfies(late -> assertThat(late.errno()).isEqualTo(Errno.ETIMEDOUT));
            try (CmListener listener = CmListener.listen(alone, SERVER, SIZES, 1)) {
                assertThatExceptionOfType(VerbsException.class)
                        .isThrownBy(() -> listener.getRequest(TIME))
                        .satisfies(late -> assertThat(late.errno()).isEqualTo(Errno.ETIMEDOUT));
            }
            assertThat(quiet.leaks()).isEmpty();
        }
    }

    /** The objects made before the failed step are closed: the leak check after each test would show them. */
    @ParameterizedTest
    @CsvSource({
        "CONNECTION_MANAGER_CREATE_ID,1",
        "CONNECTION_ID_RESOLVE_ADDRESS,1",
        "CONNECTION_ID_RESOLVE_ROUTE,1",
        "DEVICE_ALLOCATE_PD,1",
        "DEVICE_CREATE_CQ,1",
        "DEVICE_CREATE_CQ,2",
        "CONNECTION_ID_CREATE_QP,1"
    })
    void aFailedCreationLeavesNoObjectOpen(FaultyCall call, int nth) {
        FaultyProvider faulty = new FaultyProvider(provider);
        faulty.fail(call, nth, Errno.EIO);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> CmEndpoint.create(
                        faulty.extension(ConnectionManager.class).orElseThrow(),
                        new InetSocketAddress(SERVER.getAddress(), 1),
                        SIZES,
                        TIME))
                .satisfies(refused -> {
                    assertThat(refused.errno()).isEqualTo(Errno.EIO);
                    assertThat(refused.getSuppressed()).isEmpty();
                });
    }

    @ParameterizedTest
    @CsvSource({
        "CONNECTION_MANAGER_CREATE_EVENT_CHANNEL,2",
        "CONNECTION_ID_MIGRATE,1",
        "DEVICE_ALLOCATE_PD,1",
        "DEVICE_CREATE_CQ,2",
        "CONNECTION_ID_CREATE_QP,1"
    })
    void aRequestThatCannotBeServedIsRejected(FaultyCall call, int nth) throws Exception {
        FaultyProvider faulty = new FaultyProvider(provider);
        faulty.fail(call, nth, Errno.EIO);
        ConnectionManager failing = faulty.extension(ConnectionManager.class).orElseThrow();
        try (CmListener listener = CmListener.listen(failing, SERVER, SIZES, 1);
                CmEndpoint end = CmEndpoint.create(manager, listener.address(), SIZES, TIME)) {
            Future<CmEndpoint> served = threads.submit(() -> listener.getRequest(TIME));
            assertThatExceptionOfType(CmEventException.class)
                    .isThrownBy(() -> end.connect(DEFAULTS, TIME))
                    .satisfies(rejected -> assertThat(rejected.type()).isEqualTo(CmEventType.REJECTED));
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> join(served))
                    .satisfies(refused -> assertThat(((VerbsException) refused.getCause()).errno())
                            .isEqualTo(Errno.EIO));
        }
    }
}
