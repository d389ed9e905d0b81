// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Diagnoses the host's RDMA stack, and prints the command that the user should run next. */
public final class Doctor {
    private static final String NO_DEVICE =
            "none; if an adapter above has one, the provider's library lacks the adapter's"
                    + " driver (ibverbs-providers); if no adapter is listed: lspci -nn | grep -i -e ethernet -e infiniband";

    private static final String IN_SOFTWARE = "verbena demo   (a device in software, which needs none of this)";

    private final VerbsProvider provider;
    private final Machine machine;
    private final boolean linux;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> next = new ArrayList<>();

    Doctor(VerbsProvider provider, Machine machine, boolean linux) {
        this.provider = provider;
        this.machine = machine;
        this.linux = linux;
    }

    public static Doctor ofThisMachine(VerbsProvider provider) {
        return new Doctor(provider, Machine.here(), "Linux".equals(System.getProperty("os.name")));
    }

    /**
     * Prints the diagnosis of the RDMA stack, one result on each line, and then the command that the user should run next.
     * A faulty component of the RDMA stack is reported in a result line, not by an exception.
     */
    public void examine(PrintWriter out) {
        examineDevices();
        if (linux) {
            findings.addAll(machine.findings());
        }
        next.add(IN_SOFTWARE);
        findings.add(new Finding("next", next.getFirst()));
        findings.forEach(out::println);
    }

    private void examineDevices() {
        if (linux) {
            Adapters adapters = machine.adapters();
            findings.addAll(adapters.findings());
            adapters.next().ifPresent(next::add);
        }
        String subject = "library of provider " + provider.name();
        switch (provider.availability()) {
            case Availability.Unavailable(String reason, String cure) -> {
                findings.add(new Finding(subject, "no, " + reason + "; " + cure));
                if (linux) {
                    next.add(machine.installCommand());
                }
            }
            case Availability.Available(String detail) -> {
                findings.add(new Finding(subject, "yes, " + detail));
                findings.add(new Finding(
                        "connection manager",
                        provider.extension(ConnectionManager.class).isPresent()
                                ? "yes"
                                : "no, librdmacm.so.1 cannot be loaded or is too old; rping, ucmatose and all"
                                        + " connections by address need it: "
                                        + machine.installCommand()));
                try {
                    examine(provider.devices());
                } catch (VerbsException refused) {
                    findings.add(new Finding("RDMA devices", "cannot be listed: " + refused.getMessage()));
                }
            }
        }
    }

    private void examine(List<DeviceInfo> devices) {
        if (devices.isEmpty()) {
            findings.add(new Finding("RDMA devices", NO_DEVICE));
            if (linux && machine.hasSoftRoce()) {
                next.add(machine.softRoceCommand());
            }
            return;
        }
        List<DeviceExamination> examined = devices.stream()
                .map(info -> new DeviceExamination(provider, info))
                .toList();
        examined.forEach(each -> findings.addAll(each.findings()));
        examined.stream()
                .filter(DeviceExamination::usable)
                .map(DeviceExamination::next)
                .forEach(next::add);
        examined.stream()
                .filter(each -> !each.usable())
                .map(DeviceExamination::next)
                .forEach(next::add);
    }
}
