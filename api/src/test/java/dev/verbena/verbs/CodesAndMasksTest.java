// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.verbena.cm.CmEventType;
import dev.verbena.cm.RejectReason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CodesAndMasksTest {
    /** An enum with its codec and the code of its last constant, which catches a shifted list. */
    record Coded<E extends Enum<E>>(List<E> constants, ToIntFunction<E> encode, IntFunction<E> decode, int last) {
        void check() {
            for (E constant : constants) {
                assertThat(decode.apply(encode.applyAsInt(constant))).isSameAs(constant);
            }
            assertThat(encode.applyAsInt(constants.getLast())).isEqualTo(last);
            for (int unknown : new int[] {last + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> decode.apply(unknown))
                        .withMessageContaining(Integer.toString(unknown))
                        .withMessageContaining(constants.getFirst().name());
            }
        }

        @Override
        public String toString() {
            return constants.getFirst().getDeclaringClass().getSimpleName();
        }
    }

    /** An enum of codes that others extend, with the constant for the codes that Verbena does not know. */
    record Extensible<E extends Enum<E>>(List<E> constants, ToIntFunction<E> encode, IntFunction<E> decode, E unknown) {
        void check(int code) {
            E expected = constants.stream()
                    .filter(constant -> encode.applyAsInt(constant) == code)
                    .findFirst()
                    .orElse(unknown);
            assertThat(decode.apply(code)).isSameAs(expected);
        }

        @Override
        public String toString() {
            return unknown.getDeclaringClass().getSimpleName();
        }
    }

    static Stream<Coded<?>> coded() {
        return Stream.of(
                new Coded<>(List.of(QpType.values()), QpType::code, QpType::of, 4),
                new Coded<>(List.of(QpState.values()), QpState::code, QpState::of, 6),
                new Coded<>(List.of(SendOpcode.values()), SendOpcode::code, SendOpcode::of, 32),
                new Coded<>(List.of(MemoryWindowType.values()), MemoryWindowType::code, MemoryWindowType::of, 2),
                new Coded<>(List.of(FlushTarget.values()), FlushTarget::code, FlushTarget::of, 1),
                new Coded<>(List.of(FlushPlacement.values()), FlushPlacement::code, FlushPlacement::of, 2),
                new Coded<>(List.of(PathMigrationState.values()), PathMigrationState::code, PathMigrationState::of, 2),
                new Coded<>(List.of(PathMtu.values()), PathMtu::code, PathMtu::ofCode, 5),
                new Coded<>(List.of(PathMtu.values()), PathMtu::bytes, PathMtu::ofBytes, 4096));
    }

    static Stream<Extensible<?>> extensible() {
        return Stream.of(
                new Extensible<>(
                        List.of(WorkCompletionStatus.values()),
                        WorkCompletionStatus::code,
                        WorkCompletionStatus::of,
                        WorkCompletionStatus.UNKNOWN),
                new Extensible<>(
                        List.of(WorkCompletionOpcode.values()),
                        WorkCompletionOpcode::code,
                        WorkCompletionOpcode::of,
                        WorkCompletionOpcode.UNKNOWN),
                new Extensible<>(
                        List.of(AsyncEventType.values()),
                        AsyncEventType::code,
                        AsyncEventType::of,
                        AsyncEventType.UNKNOWN),
                new Extensible<>(
                        List.of(AtomicCapability.values()),
                        AtomicCapability::code,
                        AtomicCapability::of,
                        AtomicCapability.UNKNOWN),
                new Extensible<>(List.of(LinkLayer.values()), LinkLayer::code, LinkLayer::of, LinkLayer.UNKNOWN),
                new Extensible<>(List.of(PortState.values()), PortState::code, PortState::of, PortState.UNKNOWN),
                new Extensible<>(
                        List.of(PhysicalPortState.values()),
                        PhysicalPortState::code,
                        PhysicalPortState::of,
                        PhysicalPortState.UNKNOWN),
                new Extensible<>(List.of(NodeType.values()), NodeType::code, NodeType::of, NodeType.UNKNOWN),
                new Extensible<>(List.of(GidType.values()), GidType::code, GidType::of, GidType.UNKNOWN),
                new Extensible<>(
                        List.of(CmEventType.values()), CmEventType::code, CmEventType::of, CmEventType.UNKNOWN),
                new Extensible<>(
                        List.of(RejectReason.values()), RejectReason::code, RejectReason::of, RejectReason.UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource("coded")
    void everyCodeLeadsBackToItsConstantAndOthersAreRefused(Coded<?> coded) {
        coded.check();
    }

    @ParameterizedTest
    @MethodSource("extensible")
    void everyCodeLeadsToItsConstantAndOthersToTheUnknownOne(Extensible<?> extensible) {
        for (int code = -300; code < 300; code++) {
            extensible.check(code);
        }
        extensible.check(Integer.MIN_VALUE);
        extensible.check(Integer.MAX_VALUE);
    }

    @Test
    void gapsBetweenCodesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> SendOpcode.of(10));
    }

    @Test
    void theNumbersOfReasonsAreThoseOfTheSpecification() {
        assertThat(RejectReason.INVALID_SERVICE_ID.code()).isEqualTo(8);
        assertThat(RejectReason.STALE_CONNECTION.code()).isEqualTo(10);
        assertThat(RejectReason.INVALID_PATH_MTU.code()).isEqualTo(26);
        assertThat(RejectReason.CONSUMER_DEFINED.code()).isEqualTo(28);
        assertThat(RejectReason.VENDOR_OPTION_NOT_SUPPORTED.code()).isEqualTo(35);
    }

    @ParameterizedTest
    @EnumSource
    void everyErrnoIsFoundByNumber(Errno errno) {
        assertThat(Errno.of(errno.number())).isSameAs(errno);
    }

    @Property
    void anUnlistedErrnoIsOtherAndNeverFails(@ForAll int number) {
        Errno found = Errno.of(number);
        assertThat(found == Errno.UNKNOWN || found.number() == number).isTrue();
    }

    @Property
    void aSetAndItsMaskAreTheSameThing(
            @ForAll Set<AccessFlag> access,
            @ForAll Set<SendFlag> send,
            @ForAll Set<CompletionFlag> completion,
            @ForAll Set<QpAttribute> attributes) {
        assertThat(AccessFlag.ofMask(AccessFlag.maskOf(access))).isEqualTo(access);
        assertThat(SendFlag.ofMask(SendFlag.maskOf(send))).isEqualTo(send);
        assertThat(CompletionFlag.ofMask(CompletionFlag.maskOf(completion))).isEqualTo(completion);
        assertThat(QpAttribute.ofMask(QpAttribute.maskOf(attributes))).isEqualTo(attributes);
    }

    @Property
    void aMaskIsDecodedWholeOrRefused(@ForAll int mask) {
        int known = 0x10037F;
        if ((mask & ~known) == 0) {
            assertThat(AccessFlag.maskOf(AccessFlag.ofMask(mask))).isEqualTo(mask);
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AccessFlag.ofMask(mask))
                    .withMessageContaining(String.format("unknown bits 0x%x", mask & ~known));
        }
        int small = mask & known;
        assertThat(AccessFlag.maskOf(AccessFlag.ofMask(small))).isEqualTo(small);
    }

    @Test
    void bitsAreThoseOfTheUserAbi() {
        assertThat(QpAttribute.maskOf(Set.of(QpAttribute.values()))).isEqualTo(0x1F_FFFF);
        assertThat(QpAttribute.DEST_QPN.mask()).isEqualTo(0x10_0000);
        assertThat(SendFlag.INLINE.mask()).isEqualTo(8);
        assertThat(CompletionFlag.WITH_INV.mask()).isEqualTo(8);
        assertThat(AccessFlag.ON_DEMAND.mask()).isEqualTo(0x40);
        assertThat(AccessFlag.RELAXED_ORDERING.mask()).isEqualTo(0x10_0000);
    }

    @Property
    void theLargestMtuNotAboveFitsAndTheNextDoesNot(@ForAll @IntRange(min = -1, max = 10_000) int bytes) {
        Optional<PathMtu> found = PathMtu.largestNotAbove(bytes);
        if (found.isEmpty()) {
            assertThat(bytes).isLessThan(256);
            return;
        }
        PathMtu mtu = found.get();
        assertThat(mtu.bytes()).isLessThanOrEqualTo(bytes);
        if (mtu != PathMtu.MTU_4096) {
            assertThat(2 * mtu.bytes()).isGreaterThan(bytes);
        }
        assertThat(PathMtu.min(mtu, PathMtu.MTU_1024).bytes()).isEqualTo(Math.min(mtu.bytes(), 1024));
    }

    @Test
    void opcodesBelongToTheTransportsThatDefineThem() {
        assertThat(SendOpcode.values()).allMatch(opcode -> opcode.supportedOn(QpType.RC));
        assertThat(Stream.of(SendOpcode.values()).filter(opcode -> opcode.supportedOn(QpType.UC)))
                .containsExactlyInAnyOrder(
                        SendOpcode.SEND,
                        SendOpcode.SEND_WITH_IMM,
                        SendOpcode.RDMA_WRITE,
                        SendOpcode.RDMA_WRITE_WITH_IMM,
                        SendOpcode.BIND_MW);
        assertThat(Stream.of(SendOpcode.values()).filter(opcode -> opcode.supportedOn(QpType.UD)))
                .containsExactlyInAnyOrder(SendOpcode.SEND, SendOpcode.SEND_WITH_IMM);
    }

    @Test
    void anOpcodeIsLocalOrASendOrNamesRemoteMemory() {
        for (SendOpcode opcode : SendOpcode.values()) {
            assertThat(Stream.of(opcode.isLocal(), opcode.isSend(), opcode.hasRemoteAddress())
                            .filter(holds -> holds))
                    .as(opcode.name())
                    .hasSize(1);
            assertThat(opcode.completionOpcode().isReceive()).isFalse();
        }
        assertThat(SendOpcode.RDMA_WRITE_WITH_IMM.consumesReceive()).isTrue();
        assertThat(SendOpcode.ATOMIC_WRITE.allowsInline()).isFalse();
        assertThat(WorkCompletionOpcode.RECV_RDMA_WITH_IMM.isReceive()).isTrue();
    }
}
