// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.verbs.VerbsException;

/** An object that must be closed at the end of the conformance run. */
interface Opened extends AutoCloseable {
    @Override
    void close() throws VerbsException;
}
