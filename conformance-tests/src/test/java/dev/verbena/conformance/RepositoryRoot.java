// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import java.nio.file.Path;

/** Where the sources and pages are that tests read. */
final class RepositoryRoot {
    private RepositoryRoot() {}

    static Path find() {
        return Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("..");
    }
}
