// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import dev.verbena.cli.network.UdpNetwork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code ADDRESS}, {@code ADDRESS:PORT} or {@code [IPV6]:PORT}. The default port is 4791, that of RoCEv2. */
public final class EndpointConverter implements ITypeConverter<InetSocketAddress> {
    private static final int MAX_PORT = 65_535;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,5}");

    @Override
    public InetSocketAddress convert(String text) {
        int bracket = text.startsWith("[") ? text.indexOf(']') : -1;
        if (bracket > 0) {
            InetAddress address = address(text.substring(1, bracket));
            boolean more = text.length() > bracket + 1;
            if (more && text.charAt(bracket + 1) != ':') {
                throw new TypeConversionException("'" + text + "' must have a colon after the bracket");
            }
            return at(address, text, more ? bracket + 1 : -1);
        }
        int colon = text.indexOf(':');
        boolean several = colon != text.lastIndexOf(':');
        return several || colon < 0 ? at(address(text), text, -1) : at(address(text.substring(0, colon)), text, colon);
    }

    private static InetSocketAddress at(InetAddress address, String text, int colon) {
        return new InetSocketAddress(address, colon < 0 ? UdpNetwork.ROCE_PORT : port(text, colon + 1));
    }

    /**
     * Parses an IP address. Host names are not accepted, because a name may resolve to an address that no interface has.
     */
    private static InetAddress address(String host) {
        try {
            InetAddress address = InetAddress.ofLiteral(host);
            if (!address.isAnyLocalAddress()) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // The next statement throws an exception that contains the invalid address.
        }
        throw new TypeConversionException(
                "'" + host + "' is not an address of an interface, such as 10.0.0.1, 10.0.0.1:4791 or [fd00::1]:4791");
    }

    /** Parses the text from the given index to its end as a port number. */
    public static int port(String text, int start) {
        String digits = text.substring(start);
        if (DIGITS.matcher(digits).matches() && Integer.parseInt(digits) <= MAX_PORT) {
            return Integer.parseInt(digits);
        }
        throw new TypeConversionException("'" + text + "' has no port of 0..65535 after the colon");
    }
}
