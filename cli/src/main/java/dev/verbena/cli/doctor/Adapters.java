// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The RDMA-capable PCI adapters of a Linux host, as {@code /sys} reports them. */
final class Adapters {
    private static final String INFINIBAND_CLASS = "0x0207";

    /** Maps the name of an adapter's driver to the kernel module that creates the adapter's RDMA devices. */
    private static final Map<String, String> MODULES = Map.ofEntries(
            Map.entry("bnxt_en", "bnxt_re"),
            Map.entry("cxgb4", "iw_cxgb4"),
            Map.entry("efa", "efa"),
            Map.entry("erdma", "erdma"),
            Map.entry("hfi1", "hfi1"),
            Map.entry("hns3", "hns_roce_hw_v2"),
            Map.entry("i40e", "irdma"),
            Map.entry("ice", "irdma"),
            Map.entry("ionic", "ionic_rdma"),
            Map.entry("mana", "mana_ib"),
            Map.entry("mlx4_core", "mlx4_ib"),
            Map.entry("mlx5_core", "mlx5_ib"),
            Map.entry("qede", "qedr"),
            Map.entry("vmw_pvrdma", "vmw_pvrdma"));

    private final List<Finding> findings = new ArrayList<>();
    private String next = "";

    Adapters(Path root) {
        names(root.resolve("sys/bus/pci/devices"))
                .forEach(name ->
                        examine(name, root.resolve("sys/bus/pci/devices").resolve(name)));
        List<String> devices = names(root.resolve("sys/class/infiniband"));
        if (!devices.isEmpty()
                && names(root.resolve("sys/class/infiniband_verbs")).isEmpty()) {
            findings.add(new Finding(
                    "kernel",
                    "it has " + String.join(", ", devices) + ", but no /dev/infiniband/uverbs*: ib_uverbs is missing"));
            next = "sudo modprobe ib_uverbs";
        }
    }

    /** Returns a line for each adapter that has an RDMA device, an RDMA-capable driver, or the PCI class InfiniBand. */
    List<Finding> findings() {
        return findings;
    }

    /** Returns the command that creates the missing RDMA devices, or empty if none is missing. */
    Optional<String> next() {
        return next.isEmpty() ? Optional.empty() : Optional.of(next);
    }

    private void examine(String name, Path adapter) {
        String driver = driver(adapter);
        List<String> devices = names(adapter.resolve("infiniband"));
        String module = MODULES.getOrDefault(driver, "");
        boolean infiniband = text(adapter.resolve("class")).startsWith(INFINIBAND_CLASS);
        if (devices.isEmpty() && module.isEmpty() && !infiniband) {
            return;
        }
        String state = !devices.isEmpty()
                ? "RDMA device " + String.join(", ", devices)
                : driver.isEmpty()
                        ? "no driver; install the vendor's, or the distribution's linux-modules-extra"
                        : "no RDMA device" + (module.isEmpty() ? "" : "; the kernel module " + module + " creates it");
        if (devices.isEmpty() && !module.isEmpty()) {
            next = "sudo modprobe " + module;
        }
        findings.add(new Finding(
                "adapter " + name,
                "PCI " + text(adapter.resolve("vendor")) + ":" + text(adapter.resolve("device"))
                        + (driver.isEmpty() ? "" : ", driver " + driver) + ", " + state));
    }

    private static String driver(Path adapter) {
        try {
            return Files.readSymbolicLink(adapter.resolve("driver"))
                    .getFileName()
                    .toString();
        } catch (IOException none) {
            return "";
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException absent) {
            return "unknown";
        }
    }

    /** Returns the sorted names of the entries of a directory, or an empty list if the directory does not exist. */
    static List<String> names(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException absent) {
            return List.of();
        }
    }
}
