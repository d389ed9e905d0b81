package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModuleParametersTest {

    @Test
    void unsetParametersHaveTheDefaultsOfTheKernelModule() {
        assertThat(new ModuleParameters().tunables().build()).isEqualTo(O2ibTunables.defaults());
    }

    @Test
    void eachParameterReachesItsTunable() {
        O2ibTunables tunables = new ModuleParameters()
                .set("service", "1987")
                .set("peer_credits", "32")
                .set("peer_credits_hiw", "20")
                .set("concurrent_sends", "40")
                .set("conns_per_peer", "4")
                .set("wrq_sge", "3")
                .set("retry_count", "7")
                .set("rnr_retry_count", "2")
                .set("timeout", "0")
                .set("keepalive", "9")
                .set("use_privileged_port", "n")
                .set("require_privileged_port", "Y")
                .set("tos", "104")
                .set("cksum", "1")
                .set("map_on_demand", "32")
                .set("fmr_pool_size", "600")
                .set("fmr_flush_trigger", "100")
                .set("fmr_cache", "0")
                .set("use_fastreg_gaps", "1")
                .tunables()
                .build();
        assertThat(tunables.service()).isEqualTo(1987);
        assertThat(tunables.peerCredits()).isEqualTo(32);
        assertThat(tunables.peerCreditsHiw()).isEqualTo(20);
        assertThat(tunables.concurrentSends()).isEqualTo(40);
        assertThat(tunables.connsPerPeer()).isEqualTo(4);
        assertThat(tunables.wrqSge()).isEqualTo(3);
        assertThat(tunables.retryCount()).isEqualTo(7);
        assertThat(tunables.rnrRetryCount()).isEqualTo(2);
        assertThat(tunables.timeout()).isEqualTo(Duration.ofSeconds(49));
        assertThat(tunables.keepalive()).isEqualTo(Duration.ofSeconds(9));
        assertThat(tunables.usePrivilegedPort()).isFalse();
        assertThat(tunables.requirePrivilegedPort()).isTrue();
        assertThat(tunables.tos()).isEqualTo(104);
        assertThat(tunables.checksum()).isNotNull();
        RegistrationTunables registration = tunables.registration();
        assertThat(registration.mapOnDemand()).isEqualTo(32);
        assertThat(registration.fmrPoolSize()).isEqualTo(600);
        assertThat(registration.fmrFlushTrigger()).isEqualTo(100);
        assertThat(registration.fmrCache()).isFalse();
        assertThat(registration.useFastregGaps()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "peer_credit, 9, did you mean peer_credits",
        "rubbish, 9, unknown tunable 'rubbish'",
        "ib_mtu, 1500, ib_mtu 1500 is no path MTU",
        "credits, 0, credits 0 is not in 1..2147483647",
        "peer_credits, 2147483648, does not fit into 32 bits",
        "peer_credits, 0x1FFFFFFFFFFFFFFFF, does not fit into 32 bits",
        "peer_credits, 08, '08' is no whole number",
        "peer_credits, 0x, '0x' is no whole number",
        "peer_credits, 1_0, '1_0' is no whole number",
        "peer_credits, '', '' is no whole number",
        "peer_timeout, soon, 'soon' is no whole number",
        "service, 65536, service 65536 is not in 1..65535",
        "tos, -2, tos -2 is not in -1..255",
        "cksum, y2, 'y2' is no whole number",
        "service, y, 'y' is no whole number"
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
