// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

/** The failure of a demo or transfer. The exception's message is shown to the user. */
public final class DemoException extends Exception {
    private static final long serialVersionUID = 1L;

    public DemoException(String message) {
        super(message);
    }

    public DemoException(DemoException failure, String addition) {
        super(failure.getMessage() + addition, failure);
    }
}
