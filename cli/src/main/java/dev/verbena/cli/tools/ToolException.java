// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

/** The failure of a command-line tool. {@link #getMessage()} returns the reason, on one or more lines. */
public final class ToolException extends Exception {
    private static final long serialVersionUID = 1L;

    public ToolException(String message) {
        super(message);
    }
}
