package dev.verbena.sim.cm;

/** The service of a {@link CmListener}, with the endpoint that receives the requests of peers. */
sealed interface CmService {
    /**
     * Connections.
     *
     * @param endpoint receives each REQ
     */
    record Connections(CmEndpoint endpoint) implements CmService {}

    /**
     * A queue pair for datagrams.
     *
     * @param endpoint receives each SIDR_REQ
     */
    record Datagrams(SidrEndpoint endpoint) implements CmService {}
}
