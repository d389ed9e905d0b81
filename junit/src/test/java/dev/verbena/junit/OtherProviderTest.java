// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import example.Portable;
import java.util.Map;
import java.util.TreeMap;
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
                                        .map(thrown -> ": " + thrown.getMessage())
                                        .orElse(""));
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
                .hasSize(4);
    }

    @Test
    void aProviderThatIsNotInstalledIsNamed() {
        System.setProperty("verbena.provider", "none");
        run();
        assertThat(results.get("sends"))
                .startsWith("FAILED: the network of sends")
                .contains("no provider is called 'none'");
    }
}
