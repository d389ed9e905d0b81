// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.conformance.LinkControl;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.SimRig;
import dev.verbena.conformance.SuiteRun;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.Needs;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.side.Endpoint;
import dev.verbena.conformance.side.Side;
import dev.verbena.fault.provider.FaultyProvider;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The kit over devices with fewer capabilities: a missing capability is a reason to skip a rule, not a reason to fail
 * one.
 */
class LesserDevicesTest {
    private static final long SEED = 1;
    private static final int TRIES = 1;

    private static final Set<Capability> ALL = DeviceProfile.specification().capabilities();

    private static Lesser current = ucOnly();
    private static List<RuleResult> results = List.of();

    /** Makes a rig for one try. */
    @FunctionalInterface
    private interface Opening {
        ProviderRig open() throws VerbsException;
    }

    /**
     * A kind of device that not all rules are for.
     *
     * @param name describes the device
     * @param absent the missing capabilities
     * @param missing the missing features of its rig
     * @param opening opens two of them
     */
    private record Lesser(String name, Set<Capability> absent, Set<Needs> missing, Opening opening) {
        /** Why a rule cannot be tried, or empty if it can. */
        Optional<String> reason(RuleCatalogue.Entry rule) {
            Stream<String> capabilities = rule.needs().stream()
                    .filter(need -> absent.contains(need) || !ALL.contains(need))
                    .map(need -> need.description() + " (" + need + ")");
            Stream<String> rig = rule.rig().stream().filter(missing::contains).map(Needs::description);
            String all = Stream.concat(capabilities, rig).collect(Collectors.joining(", "));
            return all.isEmpty() ? Optional.empty() : Optional.of("needs " + all);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Lesser> devices() {
        return Stream.of(
                hiding(Capability.RC), hiding(Capability.SRQ), hiding(Capability.ATOMICS), ucOnly(), infiniband());
    }

    private static Lesser hiding(Capability hidden) {
        return new Lesser(
                "without " + hidden,
                EnumSet.of(hidden),
                EnumSet.of(Needs.WALL_TIME),
                () -> rig(DeviceProfile.specification(), provider -> {
                    FaultyProvider faulty = new FaultyProvider(provider);
                    faulty.hide(hidden);
                    return faulty;
                }));
    }

    private static Lesser ucOnly() {
        Set<Capability> absent = EnumSet.copyOf(ALL);
        absent.removeAll(DeviceProfile.ucOnly().capabilities());
        return new Lesser(
                "unreliable connections only",
                absent,
                EnumSet.of(Needs.WALL_TIME),
                () -> rig(DeviceProfile.ucOnly(), provider -> provider));
    }

    private static Lesser infiniband() {
        return new Lesser(
                "InfiniBand",
                EnumSet.noneOf(Capability.class),
                EnumSet.of(
                        Needs.WALL_TIME,
                        Needs.ROCE,
                        Needs.CONNECTIONS,
                        Needs.CM_DATAGRAMS,
                        Needs.CM_MULTICAST,
                        Needs.CM_EXTERNAL_QP,
                        Needs.FAULTS,
                        Needs.TAP),
                () -> {
                    Fault ports = new InfinibandPorts();
                    return new WithoutLink(
                            rig(DeviceProfile.specification(), provider -> Intercept.provider(provider, ports)));
                });
    }

    private static ProviderRig rig(DeviceProfile profile, UnaryOperator<VerbsProvider> around) throws VerbsException {
        return new SimRig(new VirtualRuntime(SEED), profile, fabric -> fabric, around);
    }

    /** The faults of a real InfiniBand link cannot be commanded. */
    private record WithoutLink(ProviderRig rig) implements ProviderRig {
        @Override
        public Endpoint first() throws VerbsException, IOException {
            return rig.first();
        }

        @Override
        public Endpoint second() throws VerbsException, IOException {
            return rig.second();
        }

        @Override
        public Optional<LinkControl> link() {
            return Optional.empty();
        }

        @Override
        public Side.Waiting waiting() {
            return rig.waiting();
        }

        @Override
        public void close() throws VerbsException {
            rig.close();
        }
    }

    /** The kit over the current device; not a test by itself. */
    static class Suite extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws VerbsException {
            return current.opening().open();
        }

        @Override
        protected OptionalLong seed() {
            return OptionalLong.of(SEED);
        }

        @Override
        protected int tries() {
            return TRIES;
        }

        @Override
        protected void finished(List<RuleResult> all) {
            results = all;
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void everyRuleIsKeptOrSkippedForAMissingCapability(Lesser device) {
        current = device;
        SuiteRun.of(new Suite(), RuleCatalogue.of(Suite.class), false);
        assertThat(results).hasSameSizeAs(RuleCatalogue.of(Suite.class));
        assertThat(results.stream().map(LesserDevicesTest::told))
                .containsExactlyElementsOf(results.stream()
                        .map(result -> expected(result.rule(), device.reason(result.rule())))
                        .toList());
    }

    private static String told(RuleResult result) {
        return result.rule().id() + " " + result.outcome() + " " + result.message();
    }

    private static String expected(RuleCatalogue.Entry rule, Optional<String> reason) {
        return rule.id() + " " + (reason.isPresent() ? Outcome.SKIPPED : Outcome.PASSED) + " " + reason.orElse("");
    }
}
