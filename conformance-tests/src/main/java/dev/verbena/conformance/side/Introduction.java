// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.IOException;

/**
 * The handshake strings that a test process and a conformance agent exchange at the start of each TCP connection. The
 * strings are needed on fabrics on which the processes do not know the addresses of each other's devices.
 */
public interface Introduction {
    /** Sends an empty handshake string to the other process, and ignores the handshake string from it. */
    Introduction NONE = new Introduction() {
        @Override
        public String ours() {
            return "";
        }

        @Override
        public void met(String theirs) {}
    };

    /** Returns the handshake string that this process sends: at most 65,535 bytes of modified UTF-8. */
    String ours();

    /**
     * Receives the handshake string that the other process sent. This method is called once for each TCP connection, before
     * the first {@link Step} is executed.
     *
     * @throws IOException if {@code theirs} is invalid; the TCP connection is then closed
     */
    void met(String theirs) throws IOException;
}
