package dev.verbena.sim.cm;

/**
 * A user of service ID resolution, which requests the queue pair of a service or offers one. Called from inside the
 * engine: the methods must not call the engine, only defer work.
 */
interface SidrEndpoint {
    /**
     * Receives the SIDR_REQ of a peer.
     *
     * @param request the request, to be replied to
     */
    void onRequest(ReceivedSidrRequest request);

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
