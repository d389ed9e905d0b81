// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.ibverbs.IbverbsProvider.ConnectionFinder;
import dev.verbena.ibverbs.IbverbsProvider.LibraryFinder;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.library.IbvLibrary;
import dev.verbena.ibverbs.library.NativeLibraryException;
import dev.verbena.ibverbs.library.VerbsCalls;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Availability.Available;
import dev.verbena.verbs.Availability.Unavailable;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProviders;
import org.junit.jupiter.api.Test;

class IbverbsProviderTest {
    private static final String LIBRARY = "/usr/lib64/libibverbs.so.1.14.44.0";

    private final LibraryFinder finder = mock(LibraryFinder.class);
    private final ConnectionFinder connectionFinder = mock(ConnectionFinder.class);
    private final IbverbsProvider provider = new IbverbsProvider(finder, connectionFinder);

    @Test
    void isInstalledUnderItsName() throws VerbsException {
        assertThat(VerbsProviders.named("ibverbs")).isInstanceOf(IbverbsProvider.class);
    }

    @Test
    void readingItsNameStartsNoSearch() {
        assertThat(provider.name()).isEqualTo("ibverbs");
        verifyNoInteractions(finder, connectionFinder);
    }

    @Test
    void aJvmOf32BitsIsRefusedByNameBeforeAnyLibraryIsLoaded() {
        IbverbsProvider narrow = new IbverbsProvider(finder, connectionFinder, Integer.BYTES);

        assertThat(narrow.availability())
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        refusal -> assertThat(refusal.reason()).contains(System.getProperty("os.arch"), "32-bit JVM"));
        assertThat(catchThrowableOfType(VerbsException.class, () -> narrow.open("mlx5_0"))
                        .errno())
                .isEqualTo(Errno.ENOSYS);
        verifyNoInteractions(finder, connectionFinder);
    }

    @Test
    void connectionsAreManagedWhereLibrdmacmIs() throws Exception {
        libraryIs(new FakeDevices());
        when(connectionFinder.find()).thenReturn(mock(CmCalls.class));

        assertThat(provider.extension(ConnectionManager.class)).isPresent();
        assertThat(provider.extension(ConnectionManager.class)).isEqualTo(provider.extension(ConnectionManager.class));
        verify(connectionFinder, times(1)).find();
    }

    @Test
    void withoutLibrdmacmThereAreDevicesButNoConnectionManager() throws Exception {
        libraryIs(new FakeDevices().add("mlx5_0", 7, NodeType.CA.code()));
        when(connectionFinder.find()).thenThrow(new NativeLibraryException("not found", "install it"));

        assertThat(provider.extension(ConnectionManager.class)).isEmpty();
        assertThat(provider.devices()).hasSize(1);
    }

    @Test
    void withDevicesItIsAvailableAsTheLibrarysFile() throws Exception {
        libraryIs(new FakeDevices().add("mlx5_0", 7, NodeType.CA.code()));

        assertThat(provider.availability()).isEqualTo(new Available(LIBRARY));
        assertThat(provider.devices()).containsExactly(new DeviceInfo("mlx5_0", new Guid(7), NodeType.CA));
    }

    @Test
    void theLibraryIsLookedForOnceAndTheDevicesEachTime() throws Exception {
        FakeDevices library = new FakeDevices();
        libraryIs(library);

        assertThat(provider.devices()).isEmpty();
        library.add("rxe0", 1, NodeType.CA.code());
        assertThat(provider.devices()).hasSize(1);
        provider.availability();
        verify(finder, times(1)).find();
    }

    @Test
    void withoutDevicesItIsAvailableAndReportsTheReason() throws Exception {
        libraryIs(FakeDevices.refusing(Errno.ENOSYS.number()));

        assertThat(detail(provider.availability())).startsWith(LIBRARY).contains("ENOSYS", "modprobe ib_uverbs");
        assertThat(provider.devices()).isEmpty();
    }

    @Test
    void aFailedListingIsThrownByTheListingAndReportedByTheAvailability() throws Exception {
        libraryIs(FakeDevices.refusing(Errno.EPERM.number()));

        assertThat(detail(provider.availability())).startsWith(LIBRARY).contains("EPERM");
        assertThat(catchThrowableOfType(VerbsException.class, provider::devices).errno())
                .isEqualTo(Errno.EPERM);
    }

    @Test
    void withoutTheLibraryItIsUnavailableAndEveryVerbReportsTheReason() throws Exception {
        when(finder.find()).thenThrow(new NativeLibraryException("looked here and there", "install it"));

        assertThat(provider.availability()).isEqualTo(new Unavailable("looked here and there", "install it"));
        VerbsException listing = catchThrowableOfType(VerbsException.class, provider::devices);
        VerbsException opening = catchThrowableOfType(VerbsException.class, () -> provider.open("mlx5_0"));
        assertThat(listing.errno()).isEqualTo(Errno.ENOSYS);
        assertThat(listing).hasMessageContainingAll("ibv_get_device_list", "looked here and there", "install it");
        assertThat(opening.errno()).isEqualTo(Errno.ENOSYS);
        assertThat(opening).hasMessageContainingAll("ibv_open_device", "looked here and there", "install it");
    }

    @Test
    void anyOtherFailureMakesItUnavailableWithoutThrowing() throws Exception {
        when(finder.find()).thenThrow(new UnsatisfiedLinkError("no linker here"));

        assertThat(((Unavailable) provider.availability()).reason()).contains("no linker here");
    }

    @Test
    void anUnknownNameIsRefusedWithTheNamesThereAre() throws Exception {
        libraryIs(new FakeDevices().add("mlx5_0", 7, NodeType.CA.code()).add("rxe0", 8, NodeType.CA.code()));

        VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> provider.open("mlx5_9"));

        assertThat(refusal.errno()).isEqualTo(Errno.ENODEV);
        assertThat(refusal).hasMessageContainingAll("'mlx5_9'", "mlx5_0, rxe0");
    }

    @Test
    void anUnknownNameAmongNoDevicesIsRefusedWithTheReasonThereAreNone() throws Exception {
        libraryIs(FakeDevices.refusing(Errno.ENOSYS.number()));

        VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> provider.open("mlx5_0"));

        assertThat(refusal.errno()).isEqualTo(Errno.ENODEV);
        assertThat(refusal).hasMessageContaining("the kernel has no RDMA");
    }

    @Test
    void aDeviceThatIsThereButMayNotBeOpenedIsRefusedWithTheReason() throws Exception {
        libraryIs(new FakeDevices().add("mlx5_0", 7, NodeType.CA.code()).refusingToOpen(Errno.EACCES.number()));

        VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> provider.open("mlx5_0"));

        assertThat(refusal.errno()).isEqualTo(Errno.EACCES);
        assertThat(refusal).hasMessageContainingAll("ibv_open_device", "mlx5_0", "/dev/infiniband");
    }

    @Test
    void itsTimeIsTheWallsAndKnownWithoutTheLibrary() {
        assertThat(provider.runtime().isVirtual()).isFalse();
        verifyNoInteractions(finder);
    }

    private void libraryIs(VerbsCalls library) throws NativeLibraryException {
        IbvLibrary found = FakeLibrary.of(LIBRARY, library);
        when(finder.find()).thenReturn(found);
    }

    private static String detail(Availability availability) {
        return ((Available) availability).detail();
    }
}
