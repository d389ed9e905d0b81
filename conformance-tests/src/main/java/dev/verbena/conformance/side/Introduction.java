// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.IOException;

/**
 * The texts that two processes exchange before the first step, for fabrics on which the processes do not know the
 * addresses of each other's devices.
 */
public interface Introduction {
    /** Sends an empty text, and ignores the text of the other process. */
    Introduction NONE = new Introduction() {
        @Override
        public String ours() {
            return "";
        }

        @Override
        public void met(String theirs) {}
    };

    /** Returns the text that this process sends: at most 65,535 bytes of UTF-8. */
    String ours();

    /**
     * Receives the text that the other process sent. This method is called before the first step of each connection.
     *
     * @throws IOException if the text is invalid; the connection then ends
     */
    void met(String theirs) throws IOException;
}
