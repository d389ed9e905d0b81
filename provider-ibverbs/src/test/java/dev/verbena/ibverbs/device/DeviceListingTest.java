// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.FakeDevices;
import dev.verbena.ibverbs.library.VerbsCalls;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.VerbsException;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceListingTest {
    private static final long GUID = 0x0002_c903_00a1_b2c0L;

    @Test
    void devicesAreListedInTheLibrarysOrderAndTheListIsFreed() throws VerbsException {
        FakeDevices library = new FakeDevices()
                .add("mlx5_1", GUID, NodeType.CA.code())
                .add("siw0", 0, NodeType.RNIC.code())
                .add("mlx5_0", -1, NodeType.UNKNOWN.code());

        DeviceListing listing = DeviceListing.take(library);

        assertThat(listing.devices())
                .containsExactly(
                        new DeviceInfo("mlx5_1", Guid.parse("0002:c903:00a1:b2c0"), NodeType.CA),
                        new DeviceInfo("siw0", new Guid(0), NodeType.RNIC),
                        new DeviceInfo("mlx5_0", new Guid(-1), NodeType.UNKNOWN));
        assertThat(listing.remark()).isEmpty();
        assertThat(library.outstandingLists()).isZero();
    }

    @Test
    void anEmptyListIsFreedAndExplained() throws VerbsException {
        FakeDevices library = new FakeDevices();

        DeviceListing listing = DeviceListing.take(library);

        assertThat(listing.devices()).isEmpty();
        assertThat(listing.remark()).contains("no RDMA device", "rdma link add");
        assertThat(library.outstandingLists()).isZero();
    }

    @Test
    void aKernelWithoutRdmaHasNoDevicesAndTheRemarkHasTheReason() throws VerbsException {
        VerbsCalls library = FakeDevices.refusing(Errno.ENOSYS.number());

        DeviceListing listing = DeviceListing.take(library);

        assertThat(listing.devices()).isEmpty();
        assertThat(listing.remark()).contains("ENOSYS", "modprobe ib_uverbs");
        verify(library, never()).freeDeviceList(any());
    }

    @ParameterizedTest
    @CsvSource({
        "1, EPERM, /dev/infiniband",
        "13, EACCES, /dev/infiniband",
        "12, ENOMEM, errno 12",
        "200, UNKNOWN, errno 200"
    })
    void anyOtherRefusalIsAnExceptionWithItsErrno(int number, Errno errno, String advice) {
        VerbsCalls library = FakeDevices.refusing(number);

        VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> DeviceListing.take(library));

        assertThat(refusal.errno()).isEqualTo(errno);
        assertThat(refusal.verb()).isEqualTo("ibv_get_device_list");
        assertThat(refusal).hasMessageContaining(advice);
        verify(library, never()).freeDeviceList(any());
    }

    @Test
    void theListIsFreedWhenReadingItFails() {
        FakeDevices library = new FakeDevices().add("mlx5_0", GUID, NodeType.CA.code());
        VerbsCalls broken = mock(VerbsCalls.class);
        when(broken.getDeviceList(any(), any()))
                .thenAnswer(call -> library.getDeviceList(call.getArgument(0), call.getArgument(1)));
        when(broken.getDeviceName(any())).thenThrow(new IllegalStateException("provoked"));

        assertThatIllegalStateException().isThrownBy(() -> DeviceListing.take(broken));

        verify(broken).freeDeviceList(any());
    }

    @Test
    void anUnknownNodeTypeDoesNotHideADevice() throws VerbsException {
        FakeDevices library = new FakeDevices().add("new0", GUID, 42);

        assertThat(DeviceListing.take(library).devices())
                .containsExactly(new DeviceInfo("new0", new Guid(GUID), NodeType.UNKNOWN));
    }

    @Test
    void aNameOfAllTheBytesThereAreEndsWithTheField() throws VerbsException {
        FakeDevices library = new FakeDevices().add("n".repeat(64), GUID, NodeType.CA.code());

        assertThat(DeviceListing.take(library).devices().getFirst().name()).isEqualTo("n".repeat(64));
    }

    @Property
    void anyNameIsPrintableAndUnambiguous(@ForAll("names") byte[] name) throws VerbsException {
        FakeDevices library = new FakeDevices().add(name, GUID, NodeType.CA.code());

        String shown = DeviceListing.take(library).devices().getFirst().name();

        assertThat(shown).matches("[!-~]+");
        assertThat(unescape(shown)).isEqualTo(name);
    }

    @Provide
    Arbitrary<byte[]> names() {
        return Arbitraries.bytes()
                .filter(value -> value != 0)
                .array(byte[].class)
                .ofMinSize(1)
                .ofMaxSize(63);
    }

    private static byte[] unescape(String shown) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < shown.length(); i++) {
            if (shown.startsWith("\\x", i)) {
                bytes.write(HexFormat.fromHexDigits(shown, i + 2, i + 4));
                i += 3;
            } else {
                bytes.write(shown.charAt(i));
            }
        }
        return bytes.toByteArray();
    }
}
