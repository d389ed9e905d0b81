// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.time.Duration;

/** The result of a step: the outcome of its command, the exit code (0 if the command was killed), and the duration. */
record StepResult(Step step, End end, int code, Duration took) {
    enum End {
        PASSED("passed"),
        FAILED("failed"),
        TIMED_OUT("timed out"),
        NOT_STARTED("could not be started");

        private final String text;

        End(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    boolean passed() {
        return end == End.PASSED;
    }

    String verdict() {
        return end == End.FAILED ? "failed with exit code " + code : end.toString();
    }
}
