// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** To the captured messages of a real node, this project's node answers as the other real node did. */
class CaptureReplayTest {

    static List<ReplayCase> conversations() {
        return ReplayCase.all();
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void ourNodeAnswersAsTheRealOneDid(ReplayCase conversation) throws VerbsException {
        try (CaptureReplay replay = new CaptureReplay(conversation)) {
            assertThat(replay.play()).isPositive();
        }
    }
}
