// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}: the version in the jar's manifest, and the running Java version. */
public final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        var version = VersionProvider.class.getPackage().getImplementationVersion();
        return new String[] {
            "verbena " + (version == null ? "(not from a jar)" : version),
            "Java " + Runtime.version() + " on " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
