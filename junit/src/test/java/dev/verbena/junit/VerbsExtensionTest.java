// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import example.Failing;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The reports of tests that fail. */
class VerbsExtensionTest {
    private static Throwable failure(String method) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(method(method))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        assertThat(listener.getSummary().getFailures()).hasSize(1);
        return listener.getSummary().getFailures().getFirst().getException();
    }

    private static DiscoverySelector method(String name) {
        for (Method method : Failing.class.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                return selectMethod(Failing.class, method);
            }
        }
        throw new IllegalArgumentException(name);
    }

    @Test
    void aLeakIsNamedWithTheStackThatOpenedIt() {
        assertThat(failure("leaks"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("the test has not closed 1 PD")
                .hasStackTraceContaining("example.Failing.leaks");
    }

    @Test
    void aFailureLeavesACapture() throws IOException {
        Path capture = Path.of("target/verbena-captures", Failing.class.getName() + ".loses.pcapng");
        Files.deleteIfExists(capture);
        assertThat(failure("loses")).hasStackTraceContaining("all packets: " + capture);
        assertThat(capture).isNotEmptyFile();
    }

    @Test
    void aFailureShowsTheSeedAndTheQueuePairs() {
        assertThat(failure("waitsForAMissingCompletion"))
                .hasStackTraceContaining(
                        "run again: mvn test -Dtest='example.Failing#waitsForAMissingCompletion' -Dverbena.seed=7, or @VerbsTest(seed = 7L)")
                .hasStackTraceContaining(
                        "the network at the failure: provider sim, seed 7, 60000.000000 ms after the start");
    }

    @Test
    void aWaitThatCannotEndNamesTheActorAndItsLine() {
        assertThat(failure("deadlock"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\nserver waits in ")
                .hasMessageContaining("example.Failing.lambda$deadlock");
    }

    @Test
    void anActorThatBlocksOutsideTheSpiIsShownWithItsStack() {
        assertThat(failure("blocks"))
                .hasMessageStartingWith("server blocks outside the SPI")
                .hasStackTraceContaining("CountDownLatch.await");
    }

    @Test
    void anAssertionInAnActorFailsTheTest() {
        assertThat(failure("assertsInAnActor"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("wrong answer");
    }

    @Test
    void theFailureNamesAnUnknownNode() {
        assertThat(failure("asksForAnotherNode")).hasMessageContaining("there is no node client; there are [a, b]");
    }

    @Test
    void aPairOnOneNodeIsRefused() {
        assertThat(failure("asksForAPair")).hasMessageContaining("a pair needs two nodes, but there is only [alone]");
    }

    @Test
    void aFailureOverUdpShowsWhatIsPostedAndTheSeed() {
        assertThat(failure("expectsMoreOverUdp"))
                .hasStackTraceContaining("still posted:\n  server: QP ")
                .hasStackTraceContaining("receives: 1 of ")
                .hasStackTraceContaining(
                        "run again: mvn test -Dtest='example.Failing#expectsMoreOverUdp' -Dverbena.seed=");
    }

    @Test
    void aFailureShowsWhatIsPostedAndTheLastPackets() {
        assertThat(failure("expectsMore"))
                .hasStackTraceContaining("still posted:\n  server: QP ")
                .hasStackTraceContaining("receives: 1 of ")
                .hasStackTraceContaining("server: QP ")
                .hasStackTraceContaining("last packets of client->server")
                .hasStackTraceContaining("0.000000 ms RC_SEND_ONLY to QP ");
    }
}
