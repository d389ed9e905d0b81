// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.IOException;

/**
 * The texts that two processes exchange at the start of a conformance run, for fabrics on which the processes do not
 * know the addresses of each other's devices.
 */
public interface Introduction {
    /** An {@code Introduction} that sends an empty text to the other process, and ignores the text from it. */
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
     * Receives the text that the other process sent. This method is called once for each TCP connection, before the
     * first step of a rule is executed.
     *
     * @throws IOException if {@code theirs} is invalid; the control connection then ends
     */
    void met(String theirs) throws IOException;
}
