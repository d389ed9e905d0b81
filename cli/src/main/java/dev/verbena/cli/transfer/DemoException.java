// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

/** The demo did not finish; the message is for the user. */
public final class DemoException extends Exception {
    private static final long serialVersionUID = 1L;

    public DemoException(String message) {
        super(message);
    }

    /** Creates the exception with a cause. */
    public DemoException(DemoException failure, String addition) {
        super(failure.getMessage() + addition, failure);
    }
}
