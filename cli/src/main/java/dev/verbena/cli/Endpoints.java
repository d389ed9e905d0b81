package dev.verbena.cli;

import java.net.InetSocketAddress;

/** Endpoints as the options have them. */
final class Endpoints {
    private Endpoints() {}

    static String format(InetSocketAddress endpoint) {
        return endpoint.getAddress().getHostAddress() + ":" + endpoint.getPort();
    }
}
