// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrRange;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code ibv_advise_mr} on the software device. */
class AdviceTest {
    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    private static void expectRefused(ProtectionDomain domain, MrAdvice advice, List<MrRange> ranges, Errno errno) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> domain.adviseMr(advice, true, ranges))
                .withMessageContaining("ibv_advise_mr")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(errno));
    }

    @Test
    void eachRangeNeedsAnOnDemandRegionWithTheRight() throws VerbsException {
        Node node = lab.node("sim0", "10.0.0.1");
        ProtectionDomain domain = node.domain();
        MemoryRegion region = domain.registerMemory(node.memory().asSlice(0, 4096), AccessFlag.ON_DEMAND);
        MrRange all = MrRange.of(region, 0, 4096);
        domain.adviseMr(MrAdvice.PREFETCH, true, List.of(all, MrRange.of(region, 100, 0)));
        expectRefused(domain, MrAdvice.PREFETCH, List.of(), Errno.EINVAL);
        expectRefused(domain, MrAdvice.PREFETCH_WRITE, List.of(all), Errno.EFAULT);
        MrRange tooLong = new MrRange(all.address(), 4097, all.lkey());
        expectRefused(domain, MrAdvice.PREFETCH, List.of(all, tooLong), Errno.EFAULT);
        expectRefused(node.device().allocatePd(), MrAdvice.PREFETCH, List.of(all), Errno.EFAULT);
        MemoryRegion pinned = domain.registerMemory(node.memory(), AccessFlag.LOCAL_WRITE);
        expectRefused(domain, MrAdvice.PREFETCH, List.of(MrRange.of(pinned, 0, 1)), Errno.EFAULT);
    }

    @Test
    void aDeviceWithoutOnDemandPagingRefusesIt() throws VerbsException {
        Node node = lab.node(
                "sim0",
                "10.0.0.1",
                profile ->
                        profile.toBuilder().without(Capability.ON_DEMAND_PAGING).build());
        assertThatThrownBy(() -> node.domain().registerMemory(node.memory(), AccessFlag.ON_DEMAND))
                .hasMessageContaining("does not support access flags [ON_DEMAND]");
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() -> node.domain().adviseMr(MrAdvice.PREFETCH, true, List.of()));
        assertThatExceptionOfType(CapabilityException.class)
                .isThrownBy(() -> node.domain().registerImplicit(Set.of()));
    }
}
