package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModuleParametersTest {

    @Test
    void whatIsNotSetHasTheDefaultsOfTheKernelModule() {
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
        "peer_timeout, 9, routing is not built",
        "peer_credits, 7, peer_credits 7 is not in 8..255",
        "service, 65536, service 65536 is not in 1..65535",
        "tos, -2, tos -2 is not in -1..255",
        "cksum, y2, 'y2' is no whole number",
        "service, y, 'y' is no whole number"
    })
    void whatCannotBeIsRefusedByName(String name, String value, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ModuleParameters().set(name, value))
                .withMessageContaining(reason);
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
