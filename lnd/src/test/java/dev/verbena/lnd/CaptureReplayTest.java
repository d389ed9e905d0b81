package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Told what a real node said, our node answers as the other real node did. */
class CaptureReplayTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "brw_read_1k_full_c1",
                "brw_read_1m_full_c1_cut",
                "brw_read_3976_full_c1",
                "brw_read_3984_full_c1",
                "brw_read_5008_full_c1",
                "brw_write_1k_full_c1",
                "brw_write_3976_full_c1",
                "brw_write_3984_full_c1",
                "brw_write_4k_full_c1",
                "brw_write_5008_full_c1",
                "discover",
                "lst_ping",
                "network_down_up",
                "peer_credits_8_to_32",
                "ping_a_to_b",
                "ping_b_to_a"
            })
    void ourNodeAnswersAsTheRealOneDid(String file) throws VerbsException {
        try (CaptureReplay replay = new CaptureReplay(file, true)) {
            assertThat(replay.play()).isGreaterThan(1);
        }
    }

    /** There the real node sent before it had handled all that had come, and gave those credits later. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "brw_read_3976_mtu4096_full_c1",
                "brw_write_64k_mtu4096_full_c1",
                "brw_read_64k_full_c1",
                "brw_write_4k_simple_c8",
                "keepalive_noop",
                "brw_write_1m_full_c1_cut",
                "brw_write_1m_simple_c4_cut",
                "loss2_brw_write_64k",
                "brw_write_1m_full_c1_head"
            })
    void ourNodeAnswersAsTheRealOneDidButForWhenItGivesCredits(String file) throws VerbsException {
        try (CaptureReplay replay = new CaptureReplay(file, false)) {
            assertThat(replay.play()).isGreaterThan(1);
        }
    }
}
