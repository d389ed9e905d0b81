// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.time.Duration;
import java.util.List;

/**
 * A step of a hardware report: a verbena command and the time limit of the command.
 *
 * @param name the name of the step and of its output file
 * @param purpose what the step tests, in one sentence
 * @param arguments the arguments of verbena
 * @param server the arguments of a second command, which is the server that the first command connects to, or empty if
 *     the step needs no server
 * @param limit the time limit after which the step's processes are killed
 * @param advice the advice to the user if the step fails
 */
record Step(String name, String purpose, List<String> arguments, List<String> server, Duration limit, String advice) {
    Step {
        arguments = List.copyOf(arguments);
        server = List.copyOf(server);
    }

    /** Returns a step that runs only the client of this step. */
    Step client() {
        return new Step(name, purpose, arguments, List.of(), limit, advice);
    }

    /** Returns a step that runs only the server of this step. */
    Step serverAlone() {
        return new Step(name, purpose, server, List.of(), limit, advice);
    }

    String command() {
        return "verbena " + String.join(" ", arguments);
    }
}
