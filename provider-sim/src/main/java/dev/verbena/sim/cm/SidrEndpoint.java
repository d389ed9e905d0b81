package dev.verbena.sim.cm;

/**
 * A user of service ID resolution, which queries the queue pair of a service or offers one. Called from inside the
 * engine: the methods must not call the engine, only defer work.
 */
interface SidrEndpoint {
    /**
     * Receives a peer's query of the queue pair of a service.
     *
     * @param question the query, to be answered or closed
     */
    void onQuestion(SidrQuestion question);

    /**
     * Receives a peer's answer.
     *
     * @param query the query
     * @param answer the answer
     */
    void onAnswer(SidrQuery query, SidrAnswer answer);

    /**
     * Receives the failure of a query: all tries remained unanswered.
     *
     * @param query the query
     */
    void onSilence(SidrQuery query);
}
