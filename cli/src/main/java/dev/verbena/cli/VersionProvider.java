package dev.verbena.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version in the jar's manifest, and the Java it runs on. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        var version = Verbena.class.getPackage().getImplementationVersion();
        return new String[] {
            "verbena " + (version == null ? "(not from a jar)" : version),
            "Java " + Runtime.version() + " on " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }
}
