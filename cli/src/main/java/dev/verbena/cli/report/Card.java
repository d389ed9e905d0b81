// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The device under test.
 *
 * @param other the name of a second device of this host, for tests between two devices
 * @param port the port number of the device, from 1
 * @param gidIndex the index of the GID to use, or empty for the default GID
 * @param addresses two IP addresses of the devices for LNet, separated by a comma, or empty to omit the step {@code lnet}
 * @param divergences the file of known divergences of the device from the conformance rules
 * @param secretFile the file that {@code --secret-file} specifies; if empty, the processes of the report inherit the
 *     environment variable {@code VERBENA_SECRET}
 */
public record Card(
        String provider,
        String device,
        Optional<String> other,
        int port,
        Optional<Integer> gidIndex,
        Optional<String> addresses,
        Optional<Path> divergences,
        Optional<Path> secretFile) {

    /**
     * Returns the command-line options that select the device in a pingpong or in perftest. The parameter {@code gidOption}
     * is the name of the option that selects the index of the GID.
     */
    List<String> selected(String name, String gidOption) {
        List<String> options = new ArrayList<>(List.of("--provider", provider, "-d", name));
        options.addAll(portAndGid(gidOption));
        return options;
    }

    List<String> portAndGid(String gidOption) {
        List<String> options = new ArrayList<>(List.of("-i", Integer.toString(port)));
        gidIndex.ifPresent(index -> options.addAll(List.of(gidOption, Integer.toString(index))));
        return options;
    }
}
