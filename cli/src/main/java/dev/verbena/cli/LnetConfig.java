// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.lnd.ModuleParameters;
import dev.verbena.lnd.O2ibTunables;
import dev.verbena.lnet.LndType;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an LNet node: its NID or its interface, and its tunables. Each setting is checked when it is
 * set, so that an error message can contain the line number of an invalid setting.
 */
final class LnetConfig {
    private final ModuleParameters parameters = new ModuleParameters();
    private @Nullable Nid nid;

    /**
     * Sets the NID, the {@code interface} or a tunable; the parameter {@code name} is the name of the setting in a
     * configuration file. Throws {@link IllegalArgumentException} if no setting has this name, or the value is invalid
     * for the setting.
     */
    void set(String name, String value) {
        switch (name) {
            case "nid" -> nid = checked(Nid.parse(value));
            case "interface" -> nid = nidOf(value);
            default -> parameters.set(name, value);
        }
    }

    /** Throws {@link IllegalArgumentException} for the wildcard NID, or a NID on a net of a type other than o2ib. */
    static Nid checked(Nid nid) {
        if (nid.isAny() || nid.type() != LndType.O2IB) {
            throw new IllegalArgumentException(nid + " is not on an o2ib network; write for example 10.0.0.1@o2ib");
        }
        return nid;
    }

    private static Nid nidOf(String name) {
        try {
            @Nullable NetworkInterface found = NetworkInterface.getByName(name);
            if (found == null) {
                throw new IllegalArgumentException("no such interface '" + name + "'; there are " + names());
            }
            return found.inetAddresses()
                    .filter(Inet4Address.class::isInstance)
                    .findFirst()
                    .map(address -> Nid.parse(address.getHostAddress() + "@o2ib"))
                    .orElseThrow(() ->
                            new IllegalArgumentException("interface '" + name + "' has no IPv4 address for a NID"));
        } catch (SocketException e) {
            throw new IllegalArgumentException(
                    "the addresses of interface '" + name + "' cannot be read: " + e.getMessage(), e);
        }
    }

    private static String names() throws SocketException {
        List<NetworkInterface> all = Collections.list(NetworkInterface.getNetworkInterfaces());
        return all.stream().map(NetworkInterface::getName).sorted().collect(Collectors.joining(", "));
    }

    Optional<Nid> nid() {
        return Optional.ofNullable(nid);
    }

    List<String> notes() {
        return parameters.notes();
    }

    O2ibTunables tunables() {
        return parameters.tunables().build();
    }

    static InetAddress addressOf(Nid nid) {
        int address = nid.address();
        return Gid.parse((address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "."
                        + (address & 0xff))
                .toAddress();
    }
}
