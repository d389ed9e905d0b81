package dev.verbena.conformance.side;

import java.io.IOException;

/**
 * What two processes tell each other before the first step, for networks that have to be told who is where, as sockets on
 * ports that the system chose. Devices with addresses of their own need none.
 */
public interface Introduction {
    /** Says nothing, and makes nothing of what the other says. */
    Introduction NONE = new Introduction() {
        @Override
        public String ours() {
            return "";
        }

        @Override
        public void met(String theirs) {}
    };

    /** What this side says of itself: at most 65,535 bytes of UTF-8. */
    String ours();

    /**
     * Takes what the other side said, before any step. Called for every connection.
     *
     * @param theirs its text
     * @throws IOException if nothing can be made of it; the connection ends
     */
    void met(String theirs) throws IOException;
}
