// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.output;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Formats an address and port as the options accept them, with an IPv6 address in brackets. */
public final class Endpoints {
    private Endpoints() {}

    public static String format(InetSocketAddress endpoint) {
        String host = endpoint.getAddress().getHostAddress();
        return (endpoint.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + endpoint.getPort();
    }
}
