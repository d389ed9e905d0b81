// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.IOException;

/**
 * The texts that two processes exchange before the first step, for networks without known addresses, such as sockets on
 * ports that the system chose. Devices with addresses of their own need none.
 */
public interface Introduction {
    /** Sends an empty text and ignores the other side's. */
    Introduction NONE = new Introduction() {
        @Override
        public String ours() {
            return "";
        }

        @Override
        public void met(String theirs) {}
    };

    /** Returns the text of this side: at most 65,535 bytes of UTF-8. */
    String ours();

    /**
     * Receives the text of the other side, before any step. Called for every connection.
     *
     * @param theirs its text
     * @throws IOException if nothing can be made of it; the connection ends
     */
    void met(String theirs) throws IOException;
}
