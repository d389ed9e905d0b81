// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.struct.IbvDeviceAttr;
import dev.verbena.ibverbs.struct.IbvQpCap;
import dev.verbena.ibverbs.struct.IbvQpInitAttr;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The capabilities of devices whose drivers refuse operations, types or sizes. */
class CapabilityProbeTest {
    private static final int MEM_WINDOW = 1 << 17;
    private static final int MEM_WINDOW_TYPE_2B = 1 << 24;
    private static final int SRQ_RESIZE = 1 << 13;
    private static final Set<Capability> PROBED = EnumSet.of(
            Capability.RC,
            Capability.UC,
            Capability.UD,
            Capability.SRQ,
            Capability.SRQ_RESIZE,
            Capability.MW_TYPE_1,
            Capability.MW_TYPE_2B,
            Capability.INLINE_DATA,
            Capability.CQ_RESIZE,
            Capability.CQ_MODERATION,
            Capability.DMABUF_MR,
            Capability.ECE,
            Capability.REREGISTER_MR);

    private final FakeLibrary library = new FakeLibrary();

    CapabilityProbeTest() {
        library.limit(IbvDeviceAttr.MAX_SRQ, 4);
        library.limit(IbvDeviceAttr.MAX_SRQ_WR, 64);
        library.limit(IbvDeviceAttr.MAX_SRQ_SGE, 1);
        library.limit(IbvDeviceAttr.DEVICE_CAP_FLAGS, MEM_WINDOW | MEM_WINDOW_TYPE_2B | SRQ_RESIZE);
    }

    /** Has the creation of a queue pair fail with the errno that {@code refusal} returns for its attributes, if not 0. */
    private void refuseQueuePairs(ToIntFunction<MemorySegment> refusal) {
        when(library.queuePairs.createQp(any(), any(), any())).thenAnswer(call -> {
            int errno = refusal.applyAsInt(call.getArgument(2));
            return errno != 0
                    ? FakeLibrary.failing(errno, MemorySegment.NULL).answer(call)
                    : FakeLibrary.pointer(library.arena.allocate(256));
        });
    }

    private static boolean isOfType(MemorySegment attributes, QpType... types) {
        int code = attributes.get(JAVA_INT, IbvQpInitAttr.QP_TYPE);
        return Set.of(types).stream().anyMatch(type -> type.code() == code);
    }

    private static int depth(MemorySegment attributes) {
        return attributes.get(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_SEND_WR);
    }

    private static int inline(MemorySegment attributes) {
        return attributes.get(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_INLINE_DATA);
    }

    private Set<Capability> capabilities() throws VerbsException {
        return library.openUnprobed().capabilities();
    }

    @Test
    void aDriverThatRefusesNothingHasAllThatItClaims() throws VerbsException {
        assertThat(capabilities()).containsAll(PROBED);
    }

    /** A driver such as EFA's: its transport is unspecified, and it has UD and a queue pair type of its own. */
    @ParameterizedTest
    @EnumSource(names = {"EINVAL", "EOPNOTSUPP", "ENOSYS"})
    void aTypeThatTheDriverRefusesAtEachDepthIsAbsentWithAllThatNeedsIt(Errno errno) throws VerbsException {
        refuseQueuePairs(attributes -> isOfType(attributes, QpType.RC, QpType.UC) ? errno.number() : 0);
        when(library.completions.resizeCq(any(), any(), anyInt())).thenReturn(Errno.EOPNOTSUPP.number());

        assertThat(capabilities())
                .contains(Capability.UD, Capability.INLINE_DATA)
                .doesNotContain(
                        Capability.RC, Capability.UC, Capability.CQ_RESIZE, Capability.RDMA_READ, Capability.ATOMICS);
    }

    @Test
    void aDriverThatRefusesTheLeastDepthHasTheTypesThatItAcceptsAtAnother() throws VerbsException {
        refuseQueuePairs(
                attributes -> depth(attributes) < 2 || isOfType(attributes, QpType.UC) ? Errno.EINVAL.number() : 0);

        assertThat(capabilities())
                .contains(Capability.RC, Capability.UD, Capability.INLINE_DATA)
                .doesNotContain(Capability.UC);
    }

    @Test
    void aDriverThatRefusesOneTypeAtTheLeastDepthHasThatType() throws VerbsException {
        refuseQueuePairs(
                attributes -> depth(attributes) < 2 && isOfType(attributes, QpType.UD) ? Errno.EINVAL.number() : 0);

        assertThat(capabilities()).containsAll(PROBED);
    }

    @Test
    void einvalForEachTypeIsNoEvidence() throws VerbsException {
        refuseQueuePairs(_ -> Errno.EINVAL.number());

        assertThat(capabilities()).containsAll(PROBED);
    }

    @ParameterizedTest
    @EnumSource(names = {"ENOMEM", "EPERM", "EIO", "EAGAIN"})
    void aRefusalForAnotherReasonIsNoEvidence(Errno errno) throws VerbsException {
        refuseQueuePairs(_ -> errno.number());
        refuseOthers(errno);

        assertThat(capabilities()).containsAll(PROBED);
    }

    @ParameterizedTest
    @EnumSource(names = {"EOPNOTSUPP", "ENOSYS"})
    void anOperationThatTheDriverLacksIsAbsent(Errno errno) throws VerbsException {
        refuseOthers(errno);

        assertThat(capabilities())
                .contains(Capability.RC)
                .doesNotContain(Capability.SRQ, Capability.MW_TYPE_1, Capability.MW_TYPE_2B, Capability.CQ_RESIZE);
    }

    private void refuseOthers(Errno errno) {
        when(library.completions.resizeCq(any(), any(), anyInt())).thenReturn(errno.number());
        when(library.queuePairs.createSrq(any(), any(), any()))
                .thenAnswer(FakeLibrary.failing(errno.number(), MemorySegment.NULL));
        when(library.windows.allocMw(any(), any(), anyInt()))
                .thenAnswer(FakeLibrary.failing(errno.number(), MemorySegment.NULL));
    }

    @Test
    void windowsOfEachTypeAreProbedAlone() throws VerbsException {
        when(library.windows.allocMw(any(), any(), eq(MemoryWindowType.TYPE_2.code())))
                .thenAnswer(FakeLibrary.failing(Errno.EOPNOTSUPP.number(), MemorySegment.NULL));

        assertThat(capabilities()).contains(Capability.MW_TYPE_1).doesNotContain(Capability.MW_TYPE_2B);
    }

    @Test
    void sharedReceiveQueuesThatCannotBeResizedAreStillThere() throws VerbsException {
        when(library.queuePairs.modifySrq(any(), any(), any(), anyInt())).thenReturn(Errno.EOPNOTSUPP.number());

        assertThat(capabilities()).contains(Capability.SRQ).doesNotContain(Capability.SRQ_RESIZE);
    }

    @Test
    void inlineDataThatTheDriverRefusesIsAbsent() throws VerbsException {
        refuseQueuePairs(attributes -> inline(attributes) > 0 ? Errno.EINVAL.number() : 0);
        assertThat(capabilities()).contains(Capability.RC).doesNotContain(Capability.INLINE_DATA);
    }

    @Test
    void inlineDataThatTheDriverDoesNotGrantIsAbsent() throws VerbsException {
        refuseQueuePairs(attributes -> {
            attributes.set(JAVA_INT, IbvQpInitAttr.CAP + IbvQpCap.MAX_INLINE_DATA, 0);
            return 0;
        });
        assertThat(capabilities()).contains(Capability.RC).doesNotContain(Capability.INLINE_DATA);
    }

    @Test
    void aCompletionQueueOfTheLeastDepthNeedNotBeAccepted() throws VerbsException {
        when(library.completions.createCq(any(), any(), eq(1), any(), any(), anyInt()))
                .thenAnswer(FakeLibrary.failing(Errno.EINVAL.number(), MemorySegment.NULL));
        when(library.completions.resizeCq(any(), any(), anyInt())).thenReturn(Errno.EOPNOTSUPP.number());

        assertThat(capabilities()).doesNotContain(Capability.CQ_RESIZE);
    }

    @Test
    void openingMakesNoScratchObjectAndTheFirstReadOfAClaimMakesThemOnce() throws VerbsException {
        Device device = library.openUnprobed();
        device.require(Capability.COMPLETION_CHANNEL, "a test");

        verifyNoInteractions(library.memory, library.completions, library.queuePairs, library.windows);

        device.require(Capability.RC, "a test");
        device.capabilities();

        verify(library.memory).allocPd(any(), any());
        verify(library.memory).regMr(any(), any(), any(), anyLong(), anyInt());
        clearInvocations(library.memory);
        device.require(Capability.SRQ, "a test");
        verify(library.memory, never()).allocPd(any(), any());
    }
}
