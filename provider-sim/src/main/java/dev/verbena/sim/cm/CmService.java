package dev.verbena.sim.cm;

/** What a {@link CmListener} offers, and who is told that a peer asked for it. */
sealed interface CmService {
    /**
     * Connections.
     *
     * @param endpoint is told of each REQ
     */
    record Connections(CmEndpoint endpoint) implements CmService {}

    /**
     * A queue pair for datagrams.
     *
     * @param endpoint is told of each SIDR_REQ
     */
    record Datagrams(SidrEndpoint endpoint) implements CmService {}
}
