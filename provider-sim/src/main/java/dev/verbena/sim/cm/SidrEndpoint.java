package dev.verbena.sim.cm;

/** Who asks for queue pairs of services, or offers one. Called from inside the engine: it must not call back, only note. */
interface SidrEndpoint {
    /**
     * A peer asked for the queue pair of a service.
     *
     * @param question the question, to be answered or closed
     */
    void onQuestion(SidrQuestion question);

    /**
     * A peer answered.
     *
     * @param query what was asked
     * @param answer what the peer says
     */
    void onAnswer(SidrQuery query, SidrAnswer answer);

    /**
     * All tries went unanswered.
     *
     * @param query what was asked
     */
    void onSilence(SidrQuery query);
}
