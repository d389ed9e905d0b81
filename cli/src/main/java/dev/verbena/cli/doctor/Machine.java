// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The RDMA-relevant facts about a Linux machine; on another operating system, each of these facts is unknown. */
final class Machine {
    private static final int CAP_IPC_LOCK = 14;
    private static final String UNLIMITED = "unlimited";
    private static final String PORT = "4791";

    private final Path root;
    private final Commands commands;

    /** Creates an object that reads files below {@code root} and runs programs by {@code commands}. */
    Machine(Path root, Commands commands) {
        this.root = root;
        this.commands = commands;
    }

    static Machine here() {
        return new Machine(Path.of("/"), Commands.ofTheSystem());
    }

    Adapters adapters() {
        return new Adapters(root);
    }

    List<Finding> findings() {
        return List.of(
                new Finding("locked memory", lockedMemory()),
                new Finding("huge pages", hugePages()),
                new Finding("IOMMU", iommu()),
                new Finding("container", container()),
                new Finding("Soft-RoCE", softRoce()),
                new Finding("firewall", firewall()));
    }

    private String lockedMemory() {
        if (has(CAP_IPC_LOCK)) {
            return "not limited (CAP_IPC_LOCK)";
        }
        return lines("proc/self/limits").stream()
                .filter(line -> line.startsWith("Max locked memory"))
                .map(line -> line.split("\\s{2,}")[1])
                .findFirst()
                .map(Machine::lockedMemory)
                .orElse("not known");
    }

    private static String lockedMemory(String soft) {
        if (soft.equals(UNLIMITED)) {
            return UNLIMITED;
        }
        return soft
                + " bytes, more cannot be registered (ENOMEM); raise it with 'ulimit -l unlimited', or for good by a line"
                + " 'USER - memlock unlimited' in /etc/security/limits.conf";
    }

    /** Returns whether this process has the given Linux capability, such as {@code CAP_IPC_LOCK}, in its effective set. */
    private boolean has(int capability) {
        return lines("proc/self/status").stream()
                .filter(line -> line.startsWith("CapEff:"))
                .map(line -> Long.parseUnsignedLong(
                        line.substring(line.indexOf(':') + 1).strip(), 16))
                .anyMatch(mask -> (mask >>> capability & 1) != 0);
    }

    private String hugePages() {
        OptionalLong total = number("HugePages_Total:");
        if (total.isEmpty()) {
            return "not known";
        }
        long size = number("Hugepagesize:").orElse(0);
        if (total.getAsLong() == 0) {
            return "none of " + size
                    + " KiB; only a program that maps files of hugetlbfs needs them: sysctl vm.nr_hugepages=COUNT";
        }
        return number("HugePages_Free:").orElse(0) + " of " + total.getAsLong() + " free, " + size + " KiB each";
    }

    private String iommu() {
        if (Adapters.names(root.resolve("sys/class/iommu")).isEmpty()) {
            return "none in use";
        }
        return lines("proc/cmdline").stream().anyMatch(line -> line.contains("iommu=pt"))
                ? "in use, with iommu=pt: adapters access memory without translation"
                : "in use: it maps the pages of each registration, and slows down many registrations; the kernel parameter"
                        + " iommu=pt avoids that";
    }

    private OptionalLong number(String name) {
        return lines("proc/meminfo").stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(
                        line.substring(name.length()).replace("kB", "").strip()))
                .findFirst();
    }

    private String container() {
        boolean inside = there(".dockerenv")
                || there("run/.containerenv")
                || lines("proc/self/cgroup").stream()
                        .anyMatch(line -> Stream.of("docker", "kubepods", "containerd", "/lxc")
                                .anyMatch(line::contains));
        if (!inside) {
            return "none seen";
        }
        return there("dev/infiniband")
                ? "yes, and it has /dev/infiniband; RoCE also needs the network of the host (--network=host)"
                : "yes, without /dev/infiniband; start it with --device=/dev/infiniband --cap-add=IPC_LOCK --network=host";
    }

    /** Returns whether the kernel has a driver that can create an RDMA device on any network interface. */
    boolean hasSoftRoce() {
        return isSoftRoceLoaded() || softRoceModule().isPresent();
    }

    private boolean isSoftRoceLoaded() {
        return there("sys/module/rdma_rxe");
    }

    private String softRoce() {
        if (isSoftRoceLoaded()) {
            return "yes, the module rdma_rxe is loaded; a device: " + softRoceCommand();
        }
        String release = release();
        return softRoceModule()
                .map(module -> "yes, as a module: sudo modprobe rdma_rxe && " + softRoceCommand())
                .orElse("no, the kernel " + release
                        + " lacks the module rdma_rxe; some distributions have it in a package linux-modules-extra-"
                        + release + " or kernel-modules-extra");
    }

    private Optional<String> softRoceModule() {
        return lines("lib/modules/" + release() + "/modules.dep").stream()
                .filter(line -> line.contains("/rdma_rxe.ko"))
                .findFirst();
    }

    private String release() {
        return lines("proc/sys/kernel/osrelease").stream().findFirst().orElse("of this machine");
    }

    String softRoceCommand() {
        return "sudo rdma link add rxe0 type rxe netdev " + networkInterface();
    }

    /** Returns the name of an interface that is up, preferably an interface of a hardware device. */
    private String networkInterface() {
        Path all = root.resolve("sys/class/net");
        List<String> names = Adapters.names(all);
        return names.stream()
                .filter(name -> Files.exists(all.resolve(name).resolve("device")) && isUp(name))
                .findFirst()
                .or(() -> names.stream()
                        .filter(name -> !name.equals("lo") && isUp(name))
                        .findFirst())
                .orElse("INTERFACE");
    }

    private boolean isUp(String name) {
        return lines("sys/class/net/" + name + "/operstate").contains("up");
    }

    private String firewall() {
        Optional<String> rules = commands.output(List.of("nft", "list", "ruleset"))
                .or(() -> commands.output(List.of("iptables", "-S")).filter(text -> !text.isBlank()));
        if (rules.isEmpty()) {
            return "its rules cannot be read (no permission, or no nft and iptables); UDP port " + PORT
                    + " must be open between RoCE devices:"
                    + " sudo nft list ruleset";
        }
        List<String> about = Arrays.stream(rules.get().split("\n"))
                .map(String::strip)
                .filter(line -> line.contains(PORT))
                .toList();
        if (!about.isEmpty()) {
            return "it has rules for UDP port " + PORT + ": " + String.join("; ", about);
        }
        boolean filters = Stream.of("hook input", "-P INPUT DROP", "-A INPUT").anyMatch(rules.get()::contains);
        return filters
                ? "it filters incoming packets, and no rule names UDP port " + PORT
                        + "; if no packets of a peer arrive: sudo nft add rule inet filter input udp dport " + PORT
                        + " accept"
                : "nothing is filtered";
    }

    String installCommand() {
        String system = String.join("\n", lines("etc/os-release")).toLowerCase(Locale.ROOT);
        if (Stream.of("fedora", "rhel", "centos", "suse").anyMatch(system::contains)) {
            return system.contains("suse")
                    ? "sudo zypper install rdma-core libibverbs1 librdmacm1"
                    : "sudo dnf install rdma-core libibverbs librdmacm";
        }
        return "sudo apt-get install rdma-core ibverbs-providers librdmacm1";
    }

    private boolean there(String path) {
        return Files.exists(root.resolve(path));
    }

    private List<String> lines(String path) {
        try {
            return Files.readAllLines(root.resolve(path));
        } catch (IOException absent) {
            return List.of();
        }
    }
}
