package dev.verbena.cli;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Formats endpoints as the options do, with an IPv6 address in brackets. */
final class Endpoints {
    private Endpoints() {}

    static String format(InetSocketAddress endpoint) {
        String host = endpoint.getAddress().getHostAddress();
        return (endpoint.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + endpoint.getPort();
    }
}
