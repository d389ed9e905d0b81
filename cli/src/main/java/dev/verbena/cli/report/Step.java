// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.time.Duration;
import java.util.List;

/**
 * A step of a report: a command of verbena.
 *
 * @param name the name of the step and of its output file
 * @param purpose what the step tests, in one sentence
 * @param arguments the arguments of verbena
 * @param server the arguments of a second command, a server that waits for the first one and ends with it; empty if
 *     there is none
 * @param limit the time after which the step is ended
 * @param advice what to do if the step fails
 */
record Step(String name, String purpose, List<String> arguments, List<String> server, Duration limit, String advice) {
    Step {
        arguments = List.copyOf(arguments);
        server = List.copyOf(server);
    }

    String command() {
        return "verbena " + String.join(" ", arguments);
    }
}
