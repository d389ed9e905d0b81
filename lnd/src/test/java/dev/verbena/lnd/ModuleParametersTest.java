// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModuleParametersTest {

    @Test
    void unsetParametersHaveTheDefaultsOfTheKernelModule() {
        assertThat(new ModuleParameters().tunables().build()).isEqualTo(O2ibTunables.defaults());
    }

    /** Another value of a parameter, the tunable it decides, and the value of that. */
    private record Effect(String name, String value, Function<O2ibTunables, ?> tunable, Object expected) {
        static Effect onRegistration(
                String name, String value, Function<RegistrationTunables, ?> tunable, Object expected) {
            return new Effect(name, value, tunables -> tunable.apply(tunables.registration()), expected);
        }
    }

    private static final List<Effect> EFFECTS = List.of(
            new Effect("service", "1987", O2ibTunables::service, 1987),
            new Effect("cksum", "1", tunables -> tunables.checksum() != null, true),
            new Effect("timeout", "0", O2ibTunables::timeout, Duration.ofSeconds(49)),
            new Effect("nscheds", "3", O2ibTunables::nscheds, 3),
            new Effect("ntx", "1000", O2ibTunables::ntx, 1000),
            new Effect("dev_failover", "1", O2ibTunables::failover, true),
            new Effect("conns_per_peer", "4", O2ibTunables::connsPerPeer, 4),
            new Effect("credits", "16", O2ibTunables::peerCredits, 16),
            new Effect("peer_credits", "40", O2ibTunables::peerCredits, 40),
            new Effect("peer_credits_hiw", "20", O2ibTunables::peerCreditsHiw, 20),
            new Effect("concurrent_sends", "40", O2ibTunables::concurrentSends, 40),
            new Effect("retry_count", "7", O2ibTunables::retryCount, 7),
            new Effect("rnr_retry_count", "2", O2ibTunables::rnrRetryCount, 2),
            new Effect("keepalive", "9", O2ibTunables::keepalive, Duration.ofSeconds(9)),
            new Effect("use_privileged_port", "n", O2ibTunables::usePrivilegedPort, false),
            new Effect("require_privileged_port", "Y", O2ibTunables::requirePrivilegedPort, true),
            new Effect("wrq_sge", "3", O2ibTunables::wrqSge, 3),
            new Effect("tos", "104", O2ibTunables::tos, 104),
            Effect.onRegistration("map_on_demand", "32", RegistrationTunables::mapOnDemand, 32),
            Effect.onRegistration("fmr_pool_size", "600", RegistrationTunables::fmrPoolSize, 600),
            Effect.onRegistration("fmr_flush_trigger", "100", RegistrationTunables::fmrFlushTrigger, 100),
            Effect.onRegistration("fmr_cache", "0", RegistrationTunables::fmrCache, false),
            Effect.onRegistration("use_fastreg_gaps", "1", RegistrationTunables::useFastregGaps, true));

    @Test
    void eachParameterReachesItsTunable() {
        assertThat(EFFECTS)
                .extracting(Effect::name)
                .containsExactlyInAnyOrderElementsOf(new ModuleParameters()
                        .all().stream().map(ModuleParameters.Value::name).toList());
        for (Effect effect : EFFECTS) {
            ModuleParameters parameters = new ModuleParameters().set("peer_credits", "32");
            O2ibTunables before = parameters.tunables().build();
            O2ibTunables tunables =
                    parameters.set(effect.name, effect.value).tunables().build();
            assertThat((Object) effect.tunable.apply(tunables))
                    .as(effect.name)
                    .isEqualTo(effect.expected)
                    .isNotEqualTo(effect.tunable.apply(before));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "peer_credit, 9, did you mean peer_credits",
        "rubbish, 9, unknown tunable 'rubbish'",
        "ib_mtu, 1500, ib_mtu 1500 is not a path MTU",
        "credits, 0, credits 0 is not in 1..2147483647",
        "peer_credits, 2147483648, does not fit into 32 bits",
        "peer_credits, 0x1FFFFFFFFFFFFFFFF, does not fit into 32 bits",
        "peer_credits, 08, '08' is not a whole number",
        "peer_credits, 0x, '0x' is not a whole number",
        "peer_credits, 1_0, '1_0' is not a whole number",
        "peer_credits, '', '' is not a whole number",
        "peer_timeout, soon, 'soon' is not a whole number",
        "service, 65536, service 65536 is not in 1..65535",
        "tos, -2, tos -2 is not in -1..255",
        "cksum, y2, 'y2' is not a whole number",
        "service, y, 'y' is not a whole number"
    })
    void impossibleParametersAreRefusedByName(String name, String value, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ModuleParameters().set(name, value))
                .withMessageContaining(reason);
    }

    /** {@code kstrtoint} with base 0. */
    @ParameterizedTest
    @CsvSource({"16, 16", "0x10, 16", "0X1f, 31", "020, 16", "+16, 16"})
    void numbersAreWrittenAsTheKernelReadsThem(String text, int value) {
        assertThat(new ModuleParameters().set("peer_credits", text).tunables().build())
                .extracting(O2ibTunables::peerCredits)
                .isEqualTo(value);
    }

    /** Source: {@code kiblnd_tunables_setup}. */
    @ParameterizedTest
    @CsvSource({
        "7, 0, 0, 8, 4, 8",
        "-1, -1, -1, 8, 4, 4",
        "0x7fffffff, 0x7fffffff, 0x7fffffff, 255, 254, 510",
        "32, 3, 1000, 32, 16, 64",
        "0, 0, 0, 8, 4, 8"
    })
    void valuesThatTheModuleClampsAreClamped(
            String credits, String hiw, String sends, int credited, int returned, int inFlight) {
        O2ibTunables tunables = new ModuleParameters()
                .set("peer_credits", credits)
                .set("peer_credits_hiw", hiw)
                .set("concurrent_sends", sends)
                .set("credits", "1024")
                .tunables()
                .build();
        assertThat(tunables.peerCredits()).isEqualTo(credited);
        assertThat(tunables.peerCreditsHiw()).isEqualTo(returned);
        assertThat(tunables.concurrentSends()).isEqualTo(inFlight);
    }

    @Test
    void peerCreditsAreAtMostTheCreditsOfTheInterface() {
        ModuleParameters parameters =
                new ModuleParameters().set("credits", "16").set("peer_credits", "32");
        assertThat(parameters.tunables().build().peerCredits()).isEqualTo(16);
    }

    @Test
    void parametersWithoutEffectAreTakenAndNoted() {
        ModuleParameters parameters = new ModuleParameters()
                .set("ib_mtu", "0x1000")
                .set("ipif_name", "ib0")
                .set("peer_timeout", "180")
                .set("peer_timeout", "-1");
        assertThat(parameters.tunables().build()).isEqualTo(O2ibTunables.defaults());
        assertThat(parameters.notes()).hasSize(3);
        assertThat(parameters.notes().getFirst()).startsWith("tunable ib_mtu does nothing here: ");
    }

    @Test
    void receiverNotReadyMayBeRetriedForEver() {
        assertThat(new ModuleParameters()
                        .set("rnr_retry_count", "7")
                        .tunables()
                        .build()
                        .rnrRetryCount())
                .isEqualTo(7);
    }

    /** The least and the most of each parameter make tunables. */
    @Test
    void theEndsOfEachRangeAreValid() {
        for (ModuleParameters.Value each : new ModuleParameters().all()) {
            for (long value : new long[] {each.least(), each.most()}) {
                ModuleParameters parameters = new ModuleParameters().set(each.name(), Long.toString(value));
                assertThat(parameters.tunables().build())
                        .as("%s %d", each.name(), value)
                        .isNotNull();
                assertThat(parameters.all())
                        .contains(new ModuleParameters.Value(each.name(), value, each.least(), each.most()));
            }
        }
    }
}
