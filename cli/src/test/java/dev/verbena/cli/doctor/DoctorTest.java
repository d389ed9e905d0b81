// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.cli.tools.InstalledDevices;
import dev.verbena.cli.tools.ToolException;
import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PortAttributesBuilder;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report about devices, and the next command. */
class DoctorTest {
    @TempDir
    private Path root;

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final SimProvider sim;

    DoctorTest() throws VerbsException {
        sim = provider(DeviceProfile.specification());
    }

    @AfterEach
    void end() throws VerbsException {
        sim.close();
        runtime.close();
    }

    private SimProvider provider(DeviceProfile profile) throws VerbsException {
        return new SimProvider(
                runtime,
                new InProcessFabric(runtime),
                List.of(SimDeviceSpec.of("card0", "10.0.0.1").withProfile(profile)));
    }

    private String told(VerbsProvider provider) {
        return printed(new Doctor(provider, new Machine(root, command -> Optional.empty()), true)::examine);
    }

    private static String printed(Consumer<PrintWriter> what) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        what.accept(out);
        out.flush();
        return text.toString();
    }

    private static String next(String told) {
        return told.lines()
                .filter(line -> line.startsWith("next: "))
                .findFirst()
                .orElseThrow()
                .substring(6);
    }

    /** A provider that is not available, has no devices, or refuses to open them. */
    private record Without(Availability availability, Optional<Errno> refusal) implements VerbsProvider {
        @Override
        public String name() {
            return "ibverbs";
        }

        @Override
        public List<DeviceInfo> devices() throws VerbsException {
            if (refusal.isPresent()) {
                throw new VerbsException(refusal.get(), "ibv_get_device_list", "this user may not look");
            }
            return List.of();
        }

        @Override
        public Device open(String deviceName) throws VerbsException {
            throw new VerbsException(Errno.ENODEV, "ibv_open_device", "there is none");
        }

        @Override
        public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
            return Optional.empty();
        }

        @Override
        public VerbsRuntime runtime() {
            throw new UnsupportedOperationException();
        }
    }

    private static final VerbsProvider NO_LIBRARY = new Without(
            new Availability.Unavailable("libibverbs.so.1 cannot be loaded", "install libibverbs1"), Optional.empty());
    private static final VerbsProvider NO_DEVICE = new Without(
            new Availability.Available("libibverbs.so.1.14; the kernel has no RDMA device"), Optional.empty());
    private static final VerbsProvider NO_RIGHTS =
            new Without(new Availability.Available("libibverbs.so.1.14"), Optional.of(Errno.EPERM));

    @Test
    void withoutTheLibraryItSaysWhatToInstall() {
        String told = told(NO_LIBRARY);
        assertThat(told)
                .contains("library of provider ibverbs: no, libibverbs.so.1 cannot be loaded; install libibverbs1");
        assertThat(next(told)).startsWith("sudo apt-get install");
    }

    @Test
    void withoutDevicesItSaysHowToMakeOne() throws Exception {
        Files.createDirectories(root.resolve("sys/module/rdma_rxe"));
        String told = told(NO_DEVICE);
        assertThat(told)
                .contains(
                        "library of provider ibverbs: yes, libibverbs.so.1.14",
                        "RDMA devices: none",
                        "connection manager: no, librdmacm.so.1 cannot be loaded or",
                        "Soft-RoCE: yes");
        assertThat(next(told)).isEqualTo("sudo rdma link add rxe0 type rxe netdev INTERFACE");
    }

    @Test
    void anAdapterWithoutRdmaDeviceIsNamedWithItsKernelModule() throws Exception {
        Path adapter = Files.createDirectories(root.resolve("sys/bus/pci/devices/0000:3b:00.0"));
        Files.writeString(adapter.resolve("class"), "0x020000\n");
        Files.writeString(adapter.resolve("vendor"), "0x15b3\n");
        Files.writeString(adapter.resolve("device"), "0x1017\n");
        Files.createSymbolicLink(adapter.resolve("driver"), Path.of("../../../../bus/pci/drivers/mlx5_core"));
        Path other = Files.createDirectories(root.resolve("sys/bus/pci/devices/0000:00:1f.6"));
        Files.createSymbolicLink(other.resolve("driver"), Path.of("../../../../bus/pci/drivers/e1000e"));

        String told = told(NO_DEVICE);

        assertThat(told)
                .contains("adapter 0000:3b:00.0: PCI 0x15b3:0x1017, driver mlx5_core, no RDMA device;"
                        + " the kernel module mlx5_ib creates it")
                .doesNotContain("0000:00:1f.6");
        assertThat(next(told)).isEqualTo("sudo modprobe mlx5_ib");

        Files.createDirectories(adapter.resolve("infiniband/mlx5_0"));
        Files.createDirectories(root.resolve("sys/class/infiniband/mlx5_0"));
        assertThat(told(NO_DEVICE)).contains("driver mlx5_core, RDMA device mlx5_0", "next: sudo modprobe ib_uverbs");

        Files.createDirectories(root.resolve("sys/class/infiniband_verbs/uverbs0"));
        assertThat(told(NO_DEVICE))
                .contains("the provider's library lacks the adapter's driver")
                .doesNotContain("modprobe ib_uverbs");
    }

    @Test
    void anInfiniBandAdapterWithoutDriverIsReported() throws Exception {
        Path adapter = Files.createDirectories(root.resolve("sys/bus/pci/devices/0000:3b:00.0"));
        Files.writeString(adapter.resolve("class"), "0x020700\n");

        assertThat(told(NO_DEVICE)).contains("adapter 0000:3b:00.0: PCI unknown:unknown, no driver");
    }

    @Test
    void withoutAnyDeviceItRecommendsTheSoftwareDevice() {
        assertThat(next(told(NO_DEVICE))).startsWith("verbena demo");
    }

    @Test
    void missingPermissionIsReported() {
        assertThat(told(NO_RIGHTS)).contains("RDMA devices: cannot be listed", "this user may not look");
    }

    @Test
    void withoutADeviceCommandsReportReasonAndCure() {
        assertThatThrownBy(() -> InstalledDevices.of(NO_LIBRARY))
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith(
                        "No IB devices found by provider 'ibverbs': libibverbs.so.1 cannot be loaded; install"
                                + " libibverbs1; 'verbena doctor'");
        assertThatThrownBy(() -> InstalledDevices.of(NO_DEVICE))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("libibverbs.so.1.14; the kernel has no RDMA device; 'verbena doctor'");
        assertThatThrownBy(() -> InstalledDevices.of(NO_RIGHTS))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("this user may not look");
    }

    @Test
    void aDeviceThatMayNotBeOpenedIsNamedWithTheReason() {
        FaultyProvider faulty = new FaultyProvider(sim);
        faulty.fail(FaultyCall.VERBS_PROVIDER_OPEN, 1, Errno.EACCES);
        String told = told(faulty);
        assertThat(told).contains("device card0: cannot be used: ");
        assertThat(next(told)).startsWith("ls -l /dev/infiniband");
    }

    @Test
    void aDeviceInOrderIsTriedNext() {
        String told = told(sim);
        assertThat(told)
                .contains("device card0: provider sim", "RC UC UD")
                .containsPattern("card0 port 1: ACTIVE, Ethernet, ")
                .containsPattern("card0 port 1 MTU: \\d+ of at most 4096")
                .containsPattern(
                        "card0 port 1 GID \\d: ::ffff:10.0.0.1 ROCE_V2.*, the one to choose: RoCE v2, and IPv4");
        assertThat(next(told))
                .contains(
                        "verbena rc-pingpong --provider sim -d card0",
                        "verbena conformance --provider sim --device card0");
    }

    @Test
    void aDeviceThatLacksSomethingIsTriedWithWhatItHas() {
        FaultyProvider faulty = new FaultyProvider(sim);
        faulty.hide(Capability.RC, Capability.SRQ, Capability.ATOMICS);
        String told = told(faulty);
        assertThat(told).containsPattern("device card0: .*, UC UD; lacks RC SRQ ATOMICS");
        assertThat(next(told)).startsWith("verbena uc-pingpong");
    }

    /** An iWARP device is connected by the connection manager only. */
    @Test
    void aDeviceThatOnlyTheConnectionManagerConnectsIsTriedWithRping() {
        FaultyProvider faulty = new FaultyProvider(sim);
        faulty.hide(Capability.IMMEDIATE_DATA, Capability.MANUAL_CONNECT, Capability.SQ_DRAIN);
        String told = told(faulty);
        assertThat(told)
                .containsPattern("device card0: .*; lacks IMMEDIATE_DATA MANUAL_CONNECT SQ_DRAIN")
                .doesNotContain("RoCE)", "the one to choose");
        assertThat(next(told)).startsWith("verbena rping -s");
    }

    @Test
    void aDeviceOfUnreliableConnectionsAloneIsTriedWithThose() throws VerbsException {
        try (SimProvider unreliable = provider(DeviceProfile.ucOnly())) {
            String told = told(unreliable);
            assertThat(told).containsPattern("device card0: .*, UC; lacks RC UD");
            assertThat(next(told)).startsWith("verbena uc-pingpong");
        }
    }

    @Test
    void anEthernetPortWithASmallMtuReportsTheMtuToSet() {
        assertThat(told(withPort(port -> port.activeMtu(PathMtu.MTU_1024))))
                .contains("1024 of at most 4096; to use it, raise the interface's MTU to 4200 or more");
    }

    @Test
    void aPortOfInfiniBandHasALidAndIsAskedForNoInterface() {
        String told = told(withPort(
                port -> port.linkLayer(LinkLayer.INFINIBAND).lid(7),
                GidEntry.builder()
                        .port(1)
                        .index(0)
                        .gid(Gid.parse("fe80::1"))
                        .type(GidType.IB)
                        .interfaceName("")
                        .build()));
        assertThat(told)
                .contains(
                        "card0 port 1: ACTIVE, InfiniBand, LID 7",
                        "card0 port 1 GID 0: fe80::1 IB, the one to choose: the first one of an InfiniBand port")
                .doesNotContain("raise the interface's MTU");
        assertThat(next(told)).startsWith("verbena rc-pingpong");
    }

    @Test
    void aPortOfInfiniBandThatIsNotUpWaitsForItsSubnetManager() {
        String told = told(withPort(port -> port.linkLayer(LinkLayer.INFINIBAND).state(PortState.INIT)));
        assertThat(next(told)).startsWith("ibstat card0").contains("opensm");
    }

    @Test
    void anEthernetPortThatIsDownIsBroughtUpByItsInterface() {
        String told = told(withPort(
                port -> port.state(PortState.DOWN),
                GidEntry.builder()
                        .port(1)
                        .index(0)
                        .gid(Gid.parse("fe80::1"))
                        .type(GidType.ROCE_V2)
                        .interfaceName("eth3")
                        .build()));
        assertThat(told).contains("link-local because the interface has no address; assign one to eth3");
        assertThat(next(told)).isEqualTo("sudo ip link set eth3 up");
    }

    @Test
    void anEthernetPortWithoutAddressGetsOne() {
        String told = told(withPort(port -> port.state(PortState.ACTIVE)));
        assertThat(told).contains("GID: the table is empty");
        assertThat(next(told)).startsWith("sudo ip addr add");
    }

    /** A device with another port, and the given table of GIDs. */
    private VerbsProvider withPort(Consumer<PortAttributesBuilder> change, GidEntry... table) {
        return (VerbsProvider) Proxy.newProxyInstance(
                VerbsProvider.class.getClassLoader(), new Class<?>[] {VerbsProvider.class}, (_, call, arguments) -> {
                    Object answer = call.invoke(sim, arguments);
                    if (!(answer instanceof Device device)) {
                        return answer;
                    }
                    return Proxy.newProxyInstance(
                            Device.class.getClassLoader(), new Class<?>[] {Device.class}, (_, asked, given) -> {
                                switch (asked.getName()) {
                                    case "gidTable" -> {
                                        return List.of(table);
                                    }
                                    case "queryPort" -> {
                                        PortAttributesBuilder port = device.queryPort((int) given[0]).toBuilder();
                                        change.accept(port);
                                        return port.build();
                                    }
                                    default -> {
                                        try {
                                            return asked.invoke(device, given);
                                        } catch (InvocationTargetException thrown) {
                                            throw thrown.getCause();
                                        }
                                    }
                                }
                            });
                });
    }
}
