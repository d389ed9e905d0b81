package dev.verbena.cli;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Endpoints as the options have them, an address of IPv6 in brackets. */
final class Endpoints {
    private Endpoints() {}

    static String format(InetSocketAddress endpoint) {
        String host = endpoint.getAddress().getHostAddress();
        return (endpoint.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + endpoint.getPort();
    }
}
