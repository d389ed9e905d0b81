// SPDX-License-Identifier: Apache-2.0
package example;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs tests that must fail. */
final class Failures {
    private Failures() {}

    /** Runs one test, and returns its failure. */
    static Throwable of(Class<?> type, String method) {
        var selected = Arrays.stream(type.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(method))
                .findFirst()
                .orElseThrow();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request().selectors(selectMethod(type, selected));
        LauncherFactory.create().execute(request.build(), listener);
        return listener.getSummary().getFailures().getFirst().getException();
    }

    /** Asserts that the stack trace of a failure, with those below it, contains a text. */
    static void contains(Throwable failure, String text) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        if (!trace.toString().contains(text)) {
            throw new AssertionError("the failure does not contain \"" + text + "\"", failure);
        }
    }
}
