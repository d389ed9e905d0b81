// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/**
 * The owner of a {@link SentSidrRequest}. Called from inside the
 * engine: the methods must not call the engine, only defer work.
 */
public interface SidrEndpoint {
    /**
     * Receives the SIDR_REP of a peer.
     *
     * @param request the request
     * @param reply the reply
     */
    void onReply(SentSidrRequest request, SidrReplyParameters reply);

    /**
     * Receives the failure of a request: all tries remained unanswered.
     *
     * @param request the request
     */
    void onTimeout(SentSidrRequest request);
}
