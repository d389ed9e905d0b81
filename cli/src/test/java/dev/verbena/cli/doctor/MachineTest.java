// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facts that are read from a machine's files. */
class MachineTest {
    private static final String RELEASE = "6.12.1-test";

    @TempDir
    private Path root;

    @BeforeEach
    void hasAKernel() throws IOException {
        file("proc/sys/kernel/osrelease", RELEASE);
    }

    private void file(String path, String... lines) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }

    private String found(String subject) {
        return found(subject, command -> Optional.empty());
    }

    private String found(String subject, Commands commands) {
        return new Machine(root, commands)
                .findings().stream()
                        .filter(finding -> finding.subject().equals(subject))
                        .map(Finding::text)
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void anEmptyMachineIsNoObstacle() {
        assertThat(found("locked memory")).isEqualTo("not known");
        assertThat(found("huge pages")).isEqualTo("not known");
        assertThat(found("container")).isEqualTo("none seen");
        assertThat(found("IOMMU")).isEqualTo("none in use");
        assertThat(found("Soft-RoCE")).startsWith("no, the kernel " + RELEASE);
    }

    @Test
    void theIommuIsReportedWithTheParameterThatAvoidsItsCost() throws IOException {
        Files.createDirectories(root.resolve("sys/class/iommu/dmar0"));
        assertThat(found("IOMMU")).contains("iommu=pt avoids");

        file("proc/cmdline", "root=/dev/vda1 intel_iommu=on iommu=pt");
        assertThat(found("IOMMU")).contains("with iommu=pt");
    }

    @Test
    void theLimitOfLockedMemoryComesWithItsCure() throws IOException {
        file("proc/self/status", "Name:\tjava", "CapEff:\t0000000000000000");
        file(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     ",
                "Max locked memory         65536                65536                bytes     ");
        assertThat(found("locked memory")).startsWith("65536 bytes").contains("ulimit -l unlimited");

        file("proc/self/limits", "Max locked memory         unlimited            unlimited            bytes     ");
        assertThat(found("locked memory")).isEqualTo("unlimited");
    }

    @Test
    void aProcessWithCapIpcLockHasNoLimit() throws IOException {
        file("proc/self/limits", "Max locked memory         65536                65536                bytes     ");
        file("proc/self/status", "CapEff:\t000001ffffffffff");
        assertThat(found("locked memory")).isEqualTo("not limited (CAP_IPC_LOCK)");
    }

    @Test
    void hugePagesAreCounted() throws IOException {
        file("proc/meminfo", "HugePages_Total:       0", "HugePages_Free:        0", "Hugepagesize:       2048 kB");
        assertThat(found("huge pages")).startsWith("none of 2048 KiB").contains("vm.nr_hugepages");
        file("proc/meminfo", "HugePages_Total:      16", "HugePages_Free:        9", "Hugepagesize:       2048 kB");
        assertThat(found("huge pages")).isEqualTo("9 of 16 free, 2048 KiB each");
    }

    @Test
    void aContainerIsToldWhatItMustBeStartedWith() throws IOException {
        file(".dockerenv");
        assertThat(found("container")).contains("--device=/dev/infiniband", "--cap-add=IPC_LOCK");
        file("dev/infiniband/uverbs0");
        assertThat(found("container")).startsWith("yes, and it has /dev/infiniband");
    }

    @Test
    void softRoceIsAModuleOfThisKernel() throws IOException {
        file("sys/class/net/lo/operstate", "unknown");
        file("sys/class/net/docker0/operstate", "up");
        file("sys/class/net/eth7/operstate", "up");
        file("sys/class/net/eth7/device/vendor", "0x1af4");
        file("lib/modules/" + RELEASE + "/modules.dep", "kernel/drivers/infiniband/sw/rxe/rdma_rxe.ko.xz: kernel/x.ko");
        assertThat(found("Soft-RoCE"))
                .isEqualTo("yes, as a module: sudo modprobe rdma_rxe && sudo rdma link add rxe0 type rxe netdev eth7");

        file("sys/module/rdma_rxe/refcnt", "0");
        assertThat(found("Soft-RoCE")).startsWith("yes, the module rdma_rxe is loaded");
    }

    @Test
    void theFirewallIsAskedForThePortOfRoce() {
        String chain = "chain input { type filter hook input priority 0; policy drop;\n";
        assertThat(found("firewall")).contains("its rules cannot be read", "sudo nft list ruleset");
        assertThat(found("firewall", command -> Optional.of(""))).isEqualTo("nothing is filtered");
        assertThat(found("firewall", command -> Optional.of(chain + "tcp dport 22 accept\n}")))
                .contains("no rule names UDP port 4791", "udp dport 4791 accept");
        assertThat(found("firewall", command -> Optional.of(chain + "  udp dport 4791 accept\n}")))
                .isEqualTo("it has rules for UDP port 4791: udp dport 4791 accept");
        assertThat(found(
                        "firewall",
                        command -> command.contains("-S") ? Optional.of("-P INPUT DROP\n") : Optional.empty()))
                .contains("no rule names UDP port 4791");
    }

    @Test
    void packagesAreCalledAsTheDistributionCallsThem() throws IOException {
        Machine machine = new Machine(root, command -> Optional.empty());
        assertThat(machine.installCommand()).startsWith("sudo apt-get install");
        file("etc/os-release", "NAME=Fedora", "ID=fedora");
        assertThat(machine.installCommand()).startsWith("sudo dnf install");
        file("etc/os-release", "ID=\"opensuse-leap\"", "ID_LIKE=\"suse opensuse\"");
        assertThat(machine.installCommand()).startsWith("sudo zypper install");
    }
}
