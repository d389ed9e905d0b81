// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.verbs.VerbsException;

/** A resource, such as a device, that must be closed after the last rule has been executed. */
interface Opened extends AutoCloseable {
    @Override
    void close() throws VerbsException;
}
