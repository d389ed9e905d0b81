package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.when;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verbs that Soft-RoCE lacks, through a library in C that stands in for libibverbs and its driver. */
class StandInTest {
    private static final int MODIFY_CQ = 1;
    private static final int QUERY_DATA_IN_ORDER = 2;
    private static final int MODERATE = 1;

    @TempDir
    private static Path directory;

    private static StandIn standIn;

    private final FakeLibrary fake = new FakeLibrary();

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        standIn = StandIn.compiled(directory);
    }

    private Device open(boolean hasModifyCq) throws VerbsException {
        return open(hasModifyCq, 0);
    }

    private Device open(boolean hasModifyCq, int answer) throws VerbsException {
        standIn.control().answer(answer);
        PortCalls tables = standIn.tables(hasModifyCq);
        when(fake.ports.modifyCq(any(), any(), any()))
                .thenAnswer(call -> tables.modifyCq(call.getArgument(0), call.getArgument(1), call.getArgument(2)));
        when(fake.ports.queryDeviceEx(any(), any(), any(), any(), anyLong()))
                .thenAnswer(call -> tables.queryDeviceEx(
                        call.getArgument(0),
                        standIn.context(),
                        call.getArgument(2),
                        call.getArgument(3),
                        call.getArgument(4)));
        when(fake.queuePairs.queryQpDataInOrder(any(), anyInt(), anyInt()))
                .thenAnswer(call -> standIn.queuePairs()
                        .queryQpDataInOrder(call.getArgument(0), call.getArgument(1), call.getArgument(2)));
        return fake.open();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "16, 20", "65535, 65535"})
    void countAndPeriodReachTheDriver(int count, int micros) throws VerbsException {
        Device device = open(true);
        assertThat(device.capabilities()).contains(Capability.CQ_MODERATION);
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(8));
        cq.moderate(count, Duration.ofNanos(1000L * micros + 999));
        assertThat(standIn.lastCall()).containsExactly(MODIFY_CQ, MODERATE, count, micros);
    }

    @ParameterizedTest
    @CsvSource({"-1, PT0S", "65536, PT0S", "1, PT-0.000001S", "1, PT0.065536S", "1, PT2000000000H"})
    void aModerationThatDoesNotFitIsRefusedBeforeTheCall(int count, Duration period) throws VerbsException {
        CompletionQueue cq = open(true).createCq(CqInitAttributes.ofCapacity(8));
        int before = standIn.control().calls();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> cq.moderate(count, period))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
        assertThat(standIn.control().calls()).isEqualTo(before);
    }

    @Test
    void theDriversErrorIsReported() throws VerbsException {
        CompletionQueue cq = open(true).createCq(CqInitAttributes.ofCapacity(8));
        standIn.control().answer(Errno.ENOMEM.number());
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> cq.moderate(4, Duration.ZERO))
                .withMessageContaining("ibv_modify_cq")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOMEM));
    }

    @Test
    void aTableWithoutTheEntryIsALackingCapability() throws VerbsException {
        Device device = open(false);
        assertThat(device.capabilities()).doesNotContain(Capability.CQ_MODERATION);
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(8));
        assertThatExceptionOfType(CapabilityException.class).isThrownBy(() -> cq.moderate(4, Duration.ZERO));
    }

    @Test
    void theExtendedAttributesAreTheDrivers() throws VerbsException {
        DeviceAttributes attributes = open(true).attributes();
        assertThat(attributes.completionTimestampMask()).isEqualTo(0xFFFF_FFFF_FFFFL);
        assertThat(attributes.hcaCoreClock()).isEqualTo(156_250);
        assertThat(attributes.maxCqModerationCount()).isEqualTo(0xFFFF);
        assertThat(attributes.maxCqModerationPeriod()).isEqualTo(0xFFF);
    }

    @Test
    void aDriverWithoutExtendedAttributesHasTheOthers() throws VerbsException {
        DeviceAttributes attributes = open(true, Errno.EOPNOTSUPP.number()).attributes();
        assertThat(attributes.completionTimestampMask()).isZero();
        assertThat(attributes.maxCqModerationPeriod()).isZero();
        assertThat(attributes.maxQpWr()).isEqualTo(64);
    }

    @Test
    void theDriverSaysWhetherDataIsInOrder() throws VerbsException {
        Device device = open(true);
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(8));
        QueuePair qp = device.allocatePd().createQp(QpInitAttributes.rc(cq, QpCapabilities.of(2, 2)));
        assertThat(qp.isDataInOrder(SendOpcode.RDMA_WRITE)).isFalse();
        assertThat(standIn.lastCall()).containsExactly(QUERY_DATA_IN_ORDER, 1, SendOpcode.RDMA_WRITE.code(), 0);
        standIn.control().answer(1);
        assertThat(qp.isDataInOrder(SendOpcode.SEND)).isTrue();
        assertThat(standIn.lastCall()).containsExactly(QUERY_DATA_IN_ORDER, 1, SendOpcode.SEND.code(), 0);
    }
}
