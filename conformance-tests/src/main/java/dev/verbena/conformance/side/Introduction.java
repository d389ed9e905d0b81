// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.IOException;

/** The texts that two processes exchange before the first step, for networks whose addresses are not known. */
public interface Introduction {
    /** Sends an empty text and ignores the text of the other process. */
    Introduction NONE = new Introduction() {
        @Override
        public String ours() {
            return "";
        }

        @Override
        public void met(String theirs) {}
    };

    /** Returns the text to send: at most 65,535 bytes of UTF-8. */
    String ours();

    /**
     * Handles the text of the other process before the first step of every connection.
     *
     * @throws IOException if the text is invalid; then the connection ends
     */
    void met(String theirs) throws IOException;
}
