// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Answers.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The base classes of providers refuse unimplemented operations by capability. */
class SkeletalClassesTest {
    private final VerbsRuntime runtime = mock();
    private final Device device =
            extending(AbstractDevice.class, "dev0", DeviceAttributes.builder().build(), Set.of(Capability.RC), runtime);
    private final ProtectionDomain domain = extending(AbstractProtectionDomain.class, device);
    private final PlainCompletionQueue queue;

    SkeletalClassesTest() throws CapabilityException {
        queue = new PlainCompletionQueue(device, CqInitAttributes.ofCapacity(2));
    }

    private static <T> T extending(Class<T> type, Object... arguments) {
        return mock(type, withSettings().useConstructor(arguments).defaultAnswer(CALLS_REAL_METHODS));
    }

    private static void refuses(Capability capability, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CapabilityException.class,
                        refusal -> assertThat(refusal.capability()).isEqualTo(capability))
                .hasMessageContaining("dev0");
    }

    @Test
    void aDeviceHasTheDefaultPartitionAndNoEvents() throws Exception {
        refuses(Capability.GLOBAL_ROUTING, () -> device.gidTable(1));
        refuses(Capability.COMPLETION_CHANNEL, device::createCompletionChannel);
        assertThat(device.queryPkey(1, 0)).isEqualTo(0xFFFF);
        assertThatThrownBy(() -> device.queryPkey(1, 1)).isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> device.queryPkey(2, 0)).hasMessageContaining("ports 1 to 1");
        assertThat(device.asyncEvents().poll()).isEmpty();
    }

    @Test
    void aDomainRefusesWindowsSharedQueuesAndAddressHandles() {
        refuses(Capability.MW_TYPE_1, () -> domain.allocateMw(MemoryWindowType.TYPE_1));
        refuses(Capability.MW_TYPE_2B, () -> domain.allocateMw(MemoryWindowType.TYPE_2));
        refuses(Capability.SRQ, () -> domain.createSrq(mock()));
        refuses(Capability.UD, () -> domain.createAh(mock()));
        refuses(Capability.AH_FROM_COMPLETION, () -> domain.createAh(1, mock(), MemorySegment.NULL));
    }

    @Test
    void aQueuePairRefusesQueryWindowsAndMulticast() {
        AbstractQueuePair queuePair =
                extending(AbstractQueuePair.class, domain, 7, QpInitAttributes.rc(queue, QpCapabilities.of(1, 1)));
        refuses(Capability.QP_QUERY, queuePair::query);
        refuses(Capability.MW_TYPE_1, () -> queuePair.bindMemoryWindow(mock(), mock(), 1));
        refuses(Capability.UD_MULTICAST, () -> queuePair.attachMulticast(Gid.parse("ff0e::1"), 0));
        refuses(Capability.UD_MULTICAST, () -> queuePair.detachMulticast(Gid.parse("ff0e::1"), 0));
    }

    @Test
    void aCompletionQueueRefusesToBeResizedAndToAnnounce() {
        refuses(Capability.CQ_RESIZE, () -> queue.resize(3));
        CqInitAttributes announcing =
                CqInitAttributes.builder().capacity(1).handler(added -> {}).build();
        refuses(Capability.COMPLETION_CHANNEL, () -> new PlainCompletionQueue(device, announcing));
    }

    @Test
    void aCompletionBeyondTheCapacityBreaksTheQueueAfterTheOthersHaveBeenPolled() {
        for (int id = 1; id <= 3; id++) {
            queue.add(id, WorkCompletionStatus.SUCCESS.code(), WorkCompletionOpcode.RECV, 5, 7);
        }
        WorkCompletions one = queue.newCompletions(1);
        assertThat(queue.poll(one)).isEqualTo(1);
        assertThat(one.get(0).workRequestId()).isEqualTo(1);
        assertThat(queue.poll(one)).isEqualTo(1);
        assertThatIllegalStateException().isThrownBy(() -> queue.poll(one)).withMessageContaining("more than its 2");
    }

    @Test
    void aRegionGivesTheMemoryThatLiesWithinIt() {
        try (Arena arena = Arena.ofConfined()) {
            AbstractMemoryRegion region = extending(
                    AbstractMemoryRegion.class,
                    domain,
                    MrInitAttributes.builder(arena.allocate(100)).iova(0x1000).build());
            assertThat(region.memoryOf(new ScatterGatherEntry(0x1010, 0x54, 1)))
                    .hasValueSatisfying(slice -> assertThat(slice.byteSize()).isEqualTo(0x54));
            assertThat(region.memoryOf(new ScatterGatherEntry(0x1010, 0x55, 1))).isEmpty();
            assertThat(region.memoryOf(new ScatterGatherEntry(0xFFF, 1, 1))).isEmpty();
            assertThat(region.memoryOf(new ScatterGatherEntry(0x1000, -1, 1))).isEmpty();
            refuses(Capability.REREGISTER_MR, () -> region.reregister(null, null, null));
        }
    }

    @Test
    void aPostRefusesEachOperationButSend() {
        PlainSendRequests requests = new PlainSendRequests(3);
        requests.get(0).send().id(9).signaled();
        requests.get(1).rdmaWrite(0, 0);
        assertThat(requests.post(0, 2, request -> PostRefusal.NONE)).isEqualTo(1);
        assertThat(requests.refusal()).isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        assertThat(requests.refusedIndex()).isEqualTo(1);
        assertThat(requests.post(2, 1, request -> PostRefusal.NONE)).isZero();
        assertThat(requests.refusal()).isEqualTo(PostRefusal.NO_OPERATION);
        requests.get(1).send().inline();
        assertThat(requests.post(0, 2, request -> PostRefusal.NONE)).isEqualTo(1);
        assertThat(requests.refusal()).isEqualTo(PostRefusal.INLINE_TOO_LONG);
    }
}
