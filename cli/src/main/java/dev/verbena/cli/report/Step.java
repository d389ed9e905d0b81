// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.time.Duration;
import java.util.List;

/**
 * A step of a hardware report: a verbena command and the time limit of the command.
 *
 * @param name the name of the step; the output file has this name and the suffix {@code .txt}
 * @param purpose what the step tests, in one sentence
 * @param arguments the arguments of verbena
 * @param server the arguments of the verbena process that the step starts as its server; empty if the step needs no server
 * @param limit the time limit after which the step's processes are killed
 * @param advice the advice to the user if the step fails
 */
record Step(String name, String purpose, List<String> arguments, List<String> server, Duration limit, String advice) {
    Step {
        arguments = List.copyOf(arguments);
        server = List.copyOf(server);
    }

    Step client() {
        return new Step(name, purpose, arguments, List.of(), limit, advice);
    }

    Step serverAlone() {
        return new Step(name, purpose, server, List.of(), limit, advice);
    }

    String command() {
        return "verbena " + String.join(" ", arguments);
    }
}
