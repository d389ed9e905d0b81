// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Diagnoses one device of a provider: its capabilities, its ports, and its GIDs. */
final class DeviceExamination {
    private final VerbsProvider provider;
    private final DeviceInfo info;
    private final List<Finding> findings = new ArrayList<>();
    private String next = "";
    private boolean usable;

    DeviceExamination(VerbsProvider provider, DeviceInfo info) {
        this.provider = provider;
        this.info = info;
        try (Device device = provider.open(info.name())) {
            examine(device);
        } catch (VerbsException refused) {
            findings.add(new Finding("device " + info.name(), "cannot be used: " + refused.getMessage()));
            next = switch (refused.errno()) {
                case EACCES, EPERM -> "ls -l /dev/infiniband   (this user must be able to read and write uverbs*)";
                default -> "dmesg | tail";
            };
        }
    }

    List<Finding> findings() {
        return findings;
    }

    /** Returns the command that the user should run next to make this device usable. */
    String next() {
        return next;
    }

    /** Returns whether a port of the device is active and, on Ethernet, has a GID. */
    boolean usable() {
        return usable;
    }

    private void examine(Device device) throws VerbsException {
        DeviceAttributes attributes = device.attributes();
        findings.add(new Finding(
                "device " + info.name(),
                "provider " + provider.name() + ", firmware " + attributes.firmwareVersion() + ", "
                        + transports(device.capabilities()) + missing(device.capabilities())));
        for (int port = 1; port <= attributes.physicalPortCount(); port++) {
            examine(device, port);
        }
    }

    private static String transports(Set<Capability> can) {
        List<String> types = Stream.of(Capability.RC, Capability.UC, Capability.UD)
                .filter(can::contains)
                .map(Capability::name)
                .toList();
        return types.isEmpty() ? "no type of queue pair" : String.join(" ", types);
    }

    private static String missing(Set<Capability> can) {
        String lacks = Stream.of(
                        Capability.RC,
                        Capability.UC,
                        Capability.UD,
                        Capability.SRQ,
                        Capability.ATOMICS,
                        Capability.RDMA_READ,
                        Capability.IMMEDIATE_DATA,
                        Capability.MANUAL_CONNECT,
                        Capability.SQ_DRAIN,
                        Capability.MW_TYPE_1,
                        Capability.MW_TYPE_2B,
                        Capability.REREGISTER_MR,
                        Capability.UD_MULTICAST)
                .filter(capability -> !can.contains(capability))
                .map(Capability::name)
                .collect(Collectors.joining(" "));
        return lacks.isEmpty() ? "" : "; lacks " + lacks;
    }

    private void examine(Device device, int port) throws VerbsException {
        PortAttributes attributes = device.queryPort(port);
        String subject = info.name() + " port " + port;
        boolean infiniband = attributes.linkLayer() == LinkLayer.INFINIBAND;
        findings.add(new Finding(
                subject,
                attributes.state() + ", " + (infiniband ? "InfiniBand, LID " + attributes.lid() : "Ethernet") + ", "
                        + attributes.activeSpeedMbps() + " Mb/s"));
        findings.add(new Finding(subject + " MTU", mtu(attributes, infiniband)));
        List<GidEntry> table = device.gidTable(port);
        boolean chooses = device.capabilities().contains(Capability.MANUAL_CONNECT);
        GidEntry chosen =
                table.isEmpty() || !chooses ? null : GidSelector.automatic().select(device, port);
        for (GidEntry entry : table) {
            boolean best = entry.equals(chosen);
            findings.add(new Finding(
                    subject + " GID " + entry.index(),
                    entry.gid() + " " + entry.type()
                            + (entry.interfaceName().isEmpty() ? "" : " on " + entry.interfaceName())
                            + (best ? ", the one to choose: " + GidChoice.reason(entry) : "")));
        }
        if (table.isEmpty()) {
            findings.add(new Finding(subject + " GID", "the table is empty; bring its network interface up"));
        }
        advise(device, attributes, infiniband, table);
    }

    private static String mtu(PortAttributes attributes, boolean infiniband) {
        PathMtu active = attributes.activeMtu();
        PathMtu most = attributes.maxMtu();
        boolean small = !infiniband && active.compareTo(most) < 0;
        return active.bytes() + " of at most " + most.bytes()
                + (small ? "; to use it, raise the interface's MTU to " + (most.bytes() + 104) + " or more" : "");
    }

    private void advise(Device device, PortAttributes port, boolean infiniband, List<GidEntry> table) {
        if (usable) {
            return;
        }
        String tool = device.capabilities().contains(Capability.RC) ? "rc-pingpong" : "uc-pingpong";
        if (port.state() != PortState.ACTIVE) {
            next = infiniband
                    ? "ibstat " + info.name() + "   (a port in state INIT waits for a subnet manager: sudo opensm)"
                    : "sudo ip link set " + interfaceOf(table) + " up";
        } else if (!infiniband && table.isEmpty()) {
            next = "sudo ip addr add 10.0.0.1/24 dev " + interfaceOf(table);
        } else if (!device.capabilities().contains(Capability.MANUAL_CONNECT)) {
            usable = true;
            next = "verbena rping -s   and on the other machine: verbena rping -c -a ADDRESS";
        } else {
            usable = true;
            next = "verbena " + tool + " --provider " + provider.name() + " -d " + info.name()
                    + "   and on the other machine the same with this one's host name; then"
                    + " verbena conformance --provider " + provider.name() + " --device " + info.name();
        }
    }

    private static String interfaceOf(List<GidEntry> table) {
        return table.stream()
                .map(GidEntry::interfaceName)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("INTERFACE");
    }
}
