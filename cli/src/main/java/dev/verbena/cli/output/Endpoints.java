// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.output;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Formats an address and a port in the notation of the options, with an IPv6 address in brackets. */
public final class Endpoints {
    private Endpoints() {}

    public static String format(InetSocketAddress endpoint) {
        String host = endpoint.getAddress().getHostAddress();
        return (endpoint.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + endpoint.getPort();
    }
}
