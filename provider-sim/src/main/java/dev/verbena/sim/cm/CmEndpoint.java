package dev.verbena.sim.cm;

/** Who owns a connection or a listener, and is told what happens to it. */
interface CmEndpoint {
    /**
     * Something happened. Called from inside the engine: it must not call back into it, only note.
     *
     * @param connection the connection; for REQUESTED a new one, whose owner has to be set before this returns
     * @param indication what happened
     */
    void onIndication(CmConnection connection, CmIndication indication);
}
