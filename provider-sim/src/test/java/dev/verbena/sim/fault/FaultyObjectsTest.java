// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.verbs.kernel.FastRegistration;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import dev.verbena.verbs.kernel.FmrRegion;
import dev.verbena.verbs.kernel.FmrRegistration;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The smaller objects of a faulty provider: ordered faults, and refusals for lack of a capability. */
class FaultyObjectsTest {
    private static final Gid PEER = Gid.parse("192.0.2.2");
    private static final Set<AccessFlag> ALL =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.MW_BIND);

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private FaultyProvider provider;
    private Device device;
    private ProtectionDomain domain;
    private VerbsArena arena;
    private MemorySegment memory;
    private MemoryRegion region;
    private CompletionQueue queue;
    private QueuePair queuePair;

    @BeforeEach
    void open() throws VerbsException {
        provider = new FaultyProvider(new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("sim0", "192.0.2.1"), SimDeviceSpec.of("sim1", "192.0.2.2"))));
        device = provider.open("sim0");
        domain = device.allocatePd();
        arena = device.newArena();
        memory = arena.allocatePages(8192);
        region = domain.registerMemory(memory, ALL);
        queue = device.createCq(CqInitAttributes.ofCapacity(31));
        queuePair = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(15, 15)));
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    private AddressVector peer() {
        return AddressVector.builder()
                .port(1)
                .route(new GlobalRoute(PEER, 0, 1, 64, 0))
                .build();
    }

    private List<String> poll() throws InterruptedException {
        runtime.await(() -> false, Duration.ofMillis(1));
        WorkCompletions batch = queue.newCompletions(8);
        queue.poll(batch);
        return Stream.iterate(0, i -> i < batch.count(), i -> i + 1)
                .map(batch::get)
                .map(completion -> completion.status() + " " + completion.workRequestId())
                .toList();
    }

    private void toRts() throws VerbsException {
        QpConnector.of(queuePair).connect(QpConnector.of(queuePair).local());
    }

    @Test
    void theyKnowEachOther() throws VerbsException {
        assertThat(region.protectionDomain()).isSameAs(domain);
        MemoryWindow window = domain.allocateMw(MemoryWindowType.TYPE_2);
        assertThat(window.protectionDomain()).isSameAs(domain);
        AddressHandle handle = domain.createAh(peer());
        assertThat(handle.protectionDomain()).isSameAs(domain);
        assertThat(handle).isNotEqualTo(window);
    }

    @Test
    void everyCallOnThemCanBeMadeToFail() throws VerbsException {
        MemoryWindow window = domain.allocateMw(MemoryWindowType.TYPE_2);
        AddressHandle handle = domain.createAh(peer());
        FastRegistrationRegion fast =
                device.extension(FastRegistration.class).orElseThrow().allocate(domain, 4, false);
        FmrRegistration fmr = device.extension(FmrRegistration.class).orElseThrow();
        FmrRegion mapped = fmr.allocate(domain, 4, Set.of(AccessFlag.LOCAL_WRITE));
        for (FaultyCall call : List.of(
                FaultyCall.MEMORY_REGION_REREGISTER,
                FaultyCall.MEMORY_REGION_CLOSE,
                FaultyCall.MEMORY_WINDOW_CLOSE,
                FaultyCall.ADDRESS_HANDLE_CLOSE,
                FaultyCall.FAST_REGISTRATION_ALLOCATE,
                FaultyCall.FAST_REGISTRATION_REGION_MAP,
                FaultyCall.FMR_REGISTRATION_ALLOCATE,
                FaultyCall.FMR_REGISTRATION_UNMAP,
                FaultyCall.FMR_REGION_MAP)) {
            provider.fail(call, 1, Errno.ENOMEM);
        }
        fails(FaultyCall.MEMORY_REGION_REREGISTER, () -> region.reregister(null, null, ALL));
        fails(FaultyCall.MEMORY_REGION_CLOSE, region::close);
        fails(FaultyCall.MEMORY_WINDOW_CLOSE, window::close);
        fails(FaultyCall.ADDRESS_HANDLE_CLOSE, handle::close);
        fails(
                FaultyCall.FAST_REGISTRATION_ALLOCATE,
                () -> device.extension(FastRegistration.class).orElseThrow().allocate(domain, 4, false));
        fails(FaultyCall.FAST_REGISTRATION_REGION_MAP, () -> fast.map(List.of(memory), 4096));
        fails(FaultyCall.FMR_REGISTRATION_ALLOCATE, () -> fmr.allocate(domain, 4, Set.of(AccessFlag.LOCAL_WRITE)));
        fails(FaultyCall.FMR_REGISTRATION_UNMAP, () -> fmr.unmap(List.of(mapped)));
        fails(FaultyCall.FMR_REGION_MAP, () -> mapped.map(List.of(memory.asSlice(0, 4096)), 0));
        // Each call fails once; now all of them work.
        assertThat(fast.map(List.of(memory), 4096)).isEqualTo(1);
        mapped.map(List.of(memory.asSlice(0, 4096)), 0);
        fmr.unmap(List.of(mapped));
        region.reregister(null, null, ALL);
        for (AutoCloseable each : List.of(fast, mapped, window, handle, region)) {
            assertThat(each).satisfies(AutoCloseable::close);
        }
    }

    /** A call that throws. */
    interface Call {
        void run() throws VerbsException;
    }

    private static void fails(FaultyCall name, Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(name + ": call")
                .hasMessageContaining("failed by fault injection");
    }

    @Test
    void anArenaCanRunOutOfMemory() {
        provider.fail(FaultyCall.VERBS_ARENA_ALLOCATE, 2, Errno.ENOMEM);
        arena.allocate(16);
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> arena.allocate(16, 8))
                .withMessageContaining("VerbsArena.allocate: call 3 failed by fault injection");
        assertThat(arena.allocatePages(10).byteSize()).isEqualTo(10);
        provider.kill("sim0");
        arena.allocate(16);
    }

    @Test
    void requestsCarryThem() throws Exception {
        toRts();
        MemoryWindow window = domain.allocateMw(MemoryWindowType.TYPE_2);
        FastRegistrationRegion fast =
                device.extension(FastRegistration.class).orElseThrow().allocate(domain, 4, false);
        fast.map(List.of(memory), 4096);
        SendRequests sends = queuePair.newSendRequests(3);
        sends.get(0)
                .bindMemoryWindow(
                        window,
                        window.rkey() + 1,
                        new MemoryWindowBinding(region, 0, 100, Set.of(AccessFlag.REMOTE_WRITE)))
                .id(1)
                .signaled();
        fast.registerBy(sends.get(1), fast.rkey(), Set.of(AccessFlag.LOCAL_WRITE))
                .id(2)
                .signaled();
        sends.get(2)
                .rdmaWrite(region.address() + 50, window.rkey() + 1)
                .id(3)
                .signaled()
                .sge(fast, 0, 8);
        assertThat(queuePair.postSend(sends, 3)).isEqualTo(3);
        assertThat(poll()).containsExactly("SUCCESS 1", "SUCCESS 2", "SUCCESS 3");
    }

    /** A call, and the capability that it needs. */
    record Use(Capability capability, String verb, Provocation provocation) {
        @Override
        public String toString() {
            return capability + " by " + verb;
        }
    }

    /** Uses a capability. */
    interface Provocation {
        void run(FaultyObjectsTest test) throws Exception;
    }

    static List<Use> uses() {
        return List.of(
                new Use(Capability.RC, "ibv_create_qp", test -> test.create(QpType.RC)),
                new Use(Capability.UC, "ibv_create_qp", test -> test.create(QpType.UC)),
                new Use(Capability.UD, "ibv_create_qp", test -> test.create(QpType.UD)),
                new Use(Capability.UD, "ibv_create_ah", test -> test.domain.createAh(test.peer())),
                new Use(Capability.AH_FROM_COMPLETION, "ibv_create_ah_from_wc", FaultyObjectsTest::answer),
                new Use(Capability.SRQ, "ibv_create_srq", FaultyObjectsTest::createSrq),
                new Use(
                        Capability.IOVA_MR,
                        "ibv_reg_mr_iova",
                        test -> test.domain.registerMemory(test.memory, 0x1000, ALL)),
                new Use(
                        Capability.IOVA_MR,
                        "ibv_reg_mr_iova",
                        test -> test.domain.registerMemory(MrInitAttributes.builder(test.memory)
                                .iova(0x1000)
                                .build())),
                new Use(
                        Capability.ZERO_BASED_MR,
                        "ibv_reg_mr",
                        test -> test.domain.registerMemory(MrInitAttributes.builder(test.memory)
                                .access(AccessFlag.ZERO_BASED)
                                .build())),
                new Use(
                        Capability.ZERO_BASED_MR,
                        "ibv_reg_mr",
                        test -> test.domain.registerMemory(test.memory, AccessFlag.ZERO_BASED)),
                new Use(Capability.REREGISTER_MR, "ibv_rereg_mr", test -> test.region.reregister(null, null, ALL)),
                new Use(Capability.MW_TYPE_1, "ibv_alloc_mw", test -> test.domain.allocateMw(MemoryWindowType.TYPE_1)),
                new Use(Capability.MW_TYPE_2B, "ibv_alloc_mw", test -> test.domain.allocateMw(MemoryWindowType.TYPE_2)),
                new Use(Capability.CQ_RESIZE, "ibv_resize_cq", test -> test.queue.resize(50)),
                new Use(
                        Capability.COMPLETION_CHANNEL,
                        "ibv_create_comp_channel",
                        test -> test.device.createCompletionChannel()),
                new Use(Capability.QP_QUERY, "ibv_query_qp", test -> test.queuePair.query()),
                new Use(Capability.MANUAL_CONNECT, "ibv_modify_qp", FaultyObjectsTest::toInit),
                new Use(
                        Capability.SQ_DRAIN,
                        "ibv_modify_qp",
                        test -> test.queuePair.modify(
                                QpAttributes.builder().state(QpState.SQD).build())),
                new Use(
                        Capability.UD_MULTICAST,
                        "ibv_attach_mcast",
                        test -> test.queuePair.attachMulticast(Gid.parse("224.0.0.9"), 0)),
                new Use(Capability.GLOBAL_ROUTING, "ibv_query_gid_table", test -> test.device.gidTable(1)));
    }

    private void create(QpType type) throws VerbsException {
        domain.createQp(QpInitAttributes.builder()
                        .type(type)
                        .sendCq(queue)
                        .receiveCq(queue)
                        .capabilities(QpCapabilities.of(3, 3))
                        .build())
                .close();
    }

    private void toInit() throws VerbsException {
        queuePair.modify(QpAttributes.toInit(1, 0));
    }

    private void answer() throws Exception {
        toInit();
        ReceiveRequests receives = queuePair.newReceiveRequests(1);
        receives.get(0).clear().sge(region, 0, 8);
        queuePair.postReceive(receives, 1);
        queuePair.modify(QpAttributes.error());
        WorkCompletions flushed = queue.newCompletions(1);
        assertThat(runtime.await(() -> queue.poll(flushed) == 1, Duration.ofMillis(1)))
                .isTrue();
        domain.createAh(1, flushed.get(0), memory);
    }

    private void createSrq() throws VerbsException {
        SharedReceiveQueue shared =
                domain.createSrq(SrqInitAttributes.builder().maxWr(7).maxSge(1).build());
        shared.resize(3);
        shared.close();
    }

    @ParameterizedTest
    @MethodSource("uses")
    void aCallThatNeedsAHiddenCapabilityFailsAndNamesIt(Use use) {
        provider.hide(use.capability());
        assertThatThrownBy(() -> use.provocation().run(this))
                .isInstanceOfSatisfying(CapabilityException.class, refused -> {
                    assertThat(refused.capability()).isEqualTo(use.capability());
                    assertThat(refused).hasMessageStartingWith(use.verb()).hasMessageContaining("device sim0 has no ");
                });
    }

    @Test
    void callsThatNeedOtherCapabilitiesWork() throws VerbsException {
        provider.hide(Capability.UC, Capability.MW_TYPE_1, Capability.SRQ_RESIZE, Capability.ATOMICS);
        create(QpType.RC);
        domain.allocateMw(MemoryWindowType.TYPE_2).close();
        toRts();
        queuePair.query();
        assertThatThrownBy(this::createSrq)
                .isInstanceOf(CapabilityException.class)
                .hasMessageStartingWith("ibv_modify_srq");
    }

    @Test
    void aBatchStopsBeforeAnOperationThatIsHidden() throws Exception {
        toRts();
        provider.hide(Capability.ATOMICS, Capability.INLINE_DATA);
        SendRequests sends = queuePair.newSendRequests(3);
        for (int id = 0; id < 2; id++) {
            sends.get(id)
                    .rdmaWrite(region.address(), region.rkey())
                    .id(id)
                    .signaled()
                    .sge(region, 100, 8);
        }
        sends.get(2)
                .fetchAndAdd(region.address(), region.rkey(), 1)
                .id(2)
                .signaled()
                .sge(region, 200, 8);
        assertThat(queuePair.postSend(sends, 1, 2)).isEqualTo(1);
        assertThat(sends.refusal()).isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        assertThat(sends.refusedIndex()).isEqualTo(2);
        sends.get(0).rdmaWrite(region.address(), region.rkey()).inlineData(memory.asSlice(0, 4));
        assertThat(queuePair.postSend(sends, 1)).isZero();
        assertThat(sends.refusedIndex()).isZero();
        sends.get(0).rdmaWrite(region.address(), region.rkey()).id(7).signaled().sge(region, 100, 8);
        assertThat(queuePair.postSend(sends, 1)).isEqualTo(1);
        assertThat(sends.refusal()).isEqualTo(PostRefusal.NONE);
        assertThat(poll()).containsExactly("SUCCESS 1", "SUCCESS 7");
    }
}
