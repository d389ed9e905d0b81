// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import example.Portable;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A test class on the devices that a provider has by itself, in wall time. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class OtherProviderTest {
    private final Map<String, String> results = new TreeMap<>();

    @BeforeEach
    void selectTheProvider() {
        System.setProperty("verbena.provider", "sim");
    }

    @AfterEach
    void selectNone() {
        System.clearProperty("verbena.provider");
    }

    private void run() {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(Portable.class))
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                put(test, "SKIPPED: " + reason);
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                put(
                        test,
                        result.getStatus()
                                + result.getThrowable()
                                        .map(thrown -> ": " + thrown.getMessage() + report(thrown))
                                        .orElse(""));
            }

            private static String report(Throwable thrown) {
                return Stream.of(thrown.getSuppressed())
                        .map(Throwable::getMessage)
                        .collect(Collectors.joining());
            }

            private void put(TestIdentifier test, String result) {
                if (test.isTest()) {
                    results.put(test.getDisplayName().replaceAll("\\(.*", ""), result);
                }
            }
        });
    }

    @Test
    void testsRunOnItsDevicesAndSkippedOnesNameTheReason() {
        run();
        assertThat(results)
                .containsEntry("sends", "SUCCESSFUL")
                .containsEntry(
                        "asksForLoss",
                        "SKIPPED: the annotation @Link needs the software device, and -Dverbena.provider selects sim")
                .containsEntry(
                        "asksForUdp",
                        "SKIPPED: the annotation @Fabric needs the software device, and -Dverbena.provider selects sim")
                .containsEntry(
                        "asksForAnActor",
                        "ABORTED: VerbsNetwork.actor needs the software device, and the test runs on the devices of sim")
                .hasSize(5);
    }

    @Test
    void aFailureShowsWhatWasPostedAndTheCommandThatRunsItAgain() {
        run();
        assertThat(results.get("fails"))
                .contains("the network at the failure: provider sim")
                .containsPattern("still posted:\n  client: QP .*: post 1 times, .*\n"
                        + "  server: QP .*: post 0 times, postReceive 2 times, and 1 completions from await")
                .endsWith("run again: mvn test -Dtest='example.Portable#fails' -Dverbena.provider=sim");
    }

    @Test
    void theFailureNamesAMissingProvider() {
        System.setProperty("verbena.provider", "none");
        run();
        assertThat(results.get("sends"))
                .startsWith("FAILED: the network of sends")
                .contains("no provider is called 'none'");
    }
}
