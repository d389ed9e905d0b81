// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.conformance.side.Memory;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Pd;
import dev.verbena.conformance.side.Refused;
import dev.verbena.conformance.side.Region;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrRange;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of rule area ODP about {@code ibv_advise_mr}. If libibverbs or the driver lacks the function {@code
 * ibv_advise_mr}, these rules are skipped.
 */
public interface OnDemandAdviceRules extends RuleSet {
    /** The errno values of a refused call of ibv_advise_mr; ibv_advise_mr(3) names only EFAULT and EINVAL. */
    Set<Optional<Errno>> REFUSALS = Set.of(
            Optional.of(Errno.EFAULT), Optional.of(Errno.EINVAL), Optional.of(Errno.ENOENT), Optional.of(Errno.EPERM));

    private static MrRange all(Region region) {
        return new MrRange(region.address(), region.length(), region.lkey());
    }

    /** Calls ibv_advise_mr, which must succeed. If ibv_advise_mr fails with EOPNOTSUPP, skips the rest of the rule. */
    private static void advise(Pd pd, MrAdvice advice, boolean flush, MrRange range) {
        try {
            pd.advise(advice, flush, range);
        } catch (Refused refused) {
            assumeTrue(!refused.errno().equals(Optional.of(Errno.EOPNOTSUPP)));
            fail(advice + " of on-demand memory was refused: " + refused.getMessage());
        }
    }

    private static void assertRefused(Pd pd, MrAdvice advice, MrRange range, String why) {
        try {
            pd.advise(advice, true, range);
        } catch (Refused refused) {
            assertTrue(
                    REFUSALS.contains(refused.errno()),
                    () -> advice + " of " + why + " was refused with an errno of another meaning: "
                            + refused.getMessage());
            return;
        }
        fail(advice + " of " + why + " was not refused");
    }

    @Rule(
            id = "ODP-11",
            text = "A call of ibv_advise_mr for a range of an on-demand region succeeds, with and without the flag"
                    + " FLUSH, and changes no byte of the memory.",
            source = "ibv_advise_mr(3)",
            needs = {Capability.ON_DEMAND_PAGING},
            lookAt = {"the check of the lkey and of the range in ibv_advise_mr"})
    default void adviceAboutAnOnDemandRegionSucceeds(MrAdvice advice, boolean flush) {
        try (Pair pair = pair()) {
            Pd pd = Pd.open(pair.first());
            Memory memory = Memory.allocate(pair.first(), 4 * OnDemandRules.page(pair));
            Region region = pd.register(memory, AccessFlag.ON_DEMAND, AccessFlag.LOCAL_WRITE);
            byte[] bytes = memory.fill(0, 100, 1);
            advise(pd, advice, flush, all(region));
            memory.assertHolds(0, bytes);
        }
    }

    @Rule(
            id = "ODP-12",
            text = "A call of ibv_advise_mr with the flag FLUSH fails for a range outside of its region, for the key of"
                    + " a closed region, and for a region of another protection domain. PREFETCH_WRITE also fails for a"
                    + " region without LOCAL_WRITE.",
            source = "ibv_advise_mr(3)",
            needs = {Capability.ON_DEMAND_PAGING},
            lookAt = {"whether ibv_advise_mr checks the lkey, the access rights and the range"})
    default void invalidAdviceIsRefused() {
        try (Pair pair = pair()) {
            Pd pd = Pd.open(pair.first());
            long page = OnDemandRules.page(pair);
            Memory memory = Memory.allocate(pair.first(), 8 * page);
            Region region = pd.register(memory, 0, 4 * page, Set.of(AccessFlag.ON_DEMAND, AccessFlag.LOCAL_WRITE));
            Region readOnly = pd.register(memory, 0, 4 * page, Set.of(AccessFlag.ON_DEMAND));
            advise(pd, MrAdvice.PREFETCH, true, all(region));
            assertRefused(
                    pd,
                    MrAdvice.PREFETCH,
                    new MrRange(region.address() + 6 * page, page, region.lkey()),
                    "a range after the end of its region");
            assertRefused(pd, MrAdvice.PREFETCH_WRITE, all(readOnly), "a region without LOCAL_WRITE");
            assertRefused(Pd.open(pair.first()), MrAdvice.PREFETCH, all(region), "a region of another domain");
            region.close();
            assertRefused(pd, MrAdvice.PREFETCH, all(region), "a closed region");
        }
    }
}
