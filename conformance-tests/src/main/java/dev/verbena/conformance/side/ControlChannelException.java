// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

/** The TCP connection to a conformance agent failed: the state of its device is unknown, and the rule has no result. */
public final class ControlChannelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ControlChannelException(String message, Throwable cause) {
        super(message, cause);
    }

    ControlChannelException(String message) {
        super(message);
    }
}
