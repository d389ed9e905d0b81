// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Aeth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of a flight recording for a queue pair that is used and fails. */
class FlightRecordingTest {
    /** No other test of this process has a device of this name. */
    private static final String DEVICE = "recorded0";

    @TempDir
    Path directory;

    private static void live() throws VerbsException {
        try (Lab lab = new Lab()) {
            ScriptedPeer peer = lab.scriptedPeer("192.0.2.9");
            Endpoint endpoint = lab.node(
                            DEVICE,
                            "192.0.2.1",
                            profile -> profile.toBuilder().firstQpn(17).build())
                    .endpoint();
            endpoint.connect(peer, Connection.USUAL);
            endpoint.receive(9, 0, 5);
            endpoint.send(1, 0, 5);
            peer.answers(Aeth.NAK_PSN_SEQUENCE, 200);
            peer.answers(Aeth.NAK_REMOTE_ACCESS, 200);
            lab.settle();
        }
    }

    private List<String> record(String... disabled) throws IOException, VerbsException {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            for (String event : disabled) {
                recording.disable(event);
            }
            recording.start();
            live();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("dev.verbena."))
                .filter(event -> event.getString("device").equals(DEVICE))
                .map(FlightRecordingTest::describe)
                .toList();
    }

    private static String describe(RecordedEvent event) {
        String what =
                event.getEventType().getName().substring("dev.verbena.".length()) + " " + event.getInt("queuePair");
        return switch (event.getEventType().getName()) {
            case "dev.verbena.QpTransition" ->
                what + " " + event.getString("from") + " " + event.getString("to") + " " + event.getString("cause");
            case "dev.verbena.Retransmission" -> what + " " + event.getString("counter");
            default ->
                what + " " + event.getString("status") + " " + event.getLong("workRequestId") + " "
                        + event.getBoolean("receive") + " " + event.getString("cause");
        };
    }

    @Test
    void transitionsRetransmissionsAndErrorsAreRecorded() throws IOException, VerbsException {
        String cause = "the peer refused the request: NAK remote access error (PSN 200)";
        assertThat(record())
                .containsExactly(
                        "QpTransition 17 RESET INIT ",
                        "QpTransition 17 INIT RTR ",
                        "QpTransition 17 RTR RTS ",
                        "Retransmission 17 completer_retry_err",
                        "CompletionError 17 REM_ACCESS_ERR 1 false send 1 failed with REM_ACCESS_ERR: " + cause,
                        "QpTransition 17 RTS ERR send 1 failed with REM_ACCESS_ERR: " + cause);
    }

    @Test
    void disabledEventsAreNotRecorded() throws IOException, VerbsException {
        assertThat(record("dev.verbena.QpTransition", "dev.verbena.CompletionError"))
                .containsExactly("Retransmission 17 completer_retry_err");
    }
}
