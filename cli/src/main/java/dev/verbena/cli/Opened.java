package dev.verbena.cli;

import dev.verbena.verbs.VerbsException;

/** What is to be closed at the end. */
interface Opened extends AutoCloseable {
    @Override
    void close() throws VerbsException;
}
