// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import org.jspecify.annotations.Nullable;

/**
 * The address of an LNet network interface, as a 64-bit value.
 *
 * <pre>
 *   63      56 55       48 47            32 31                    0
 *  +----------+-----------+----------------+-----------------------+
 *  |    0     | LND type  | network number | address (IPv4)        |
 *  +----------+-----------+----------------+-----------------------+
 * </pre>
 *
 * <p>A NID as a string is {@code address@network}. The network is the name of the LND, followed by the network number
 * unless that is 0: {@code 10.0.0.1@o2ib}, {@code 10.0.0.1@o2ib3}, {@code 0@lo}. Source: Lustre's {@code nidstrings.c}.
 *
 * @param value the NID as a 64-bit number; all bits are set in the wildcard NID
 */
public record Nid(long value) {

    /** The wildcard for every network interface: all bits are set, and its string is {@code *}. */
    public static final Nid ANY = new Nid(-1L);

    /** The NID of every node's loopback interface, {@code 0@lo}. */
    public static final Nid LOOPBACK = of(LndType.LO, 0, 0);

    private static final long ADDRESS_MASK = 0xffff_ffffL;
    private static final int MAX_NUMBER = 0xffff;

    /**
     * Composes a NID from LND type, network number and address.
     *
     * @param type the LND of the network
     * @param number the network number, 0 to 65535
     * @param address the 32-bit address; an IPv4 address has its first octet in the highest byte
     * @return the NID
     * @throws IllegalArgumentException if the network number is not 0 to 65535
     */
    public static Nid of(LndType type, int number, int address) {
        if (number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException("LNet network number " + number + " is not in 0..65535");
        }
        return new Nid((long) type.code() << 48 | (long) number << 32 | (address & ADDRESS_MASK));
    }

    /**
     * Parses the string representation of a NID. Without {@code @} the network is {@code tcp}, as everywhere in LNet. Host
     * names are not resolved.
     *
     * @param text for example {@code 10.0.0.1@o2ib}
     * @return the NID
     * @throws IllegalArgumentException if the text is not a NID; the exception's message identifies the invalid field
     */
    public static Nid parse(String text) {
        if (text.equals("*")) {
            return ANY;
        }
        int at = text.indexOf('@');
        String address = at < 0 ? text : text.substring(0, at);
        String network = at < 0 ? LndType.TCP.networkName() : text.substring(at + 1);
        int digits = network.length();
        while (digits > 0 && isDigit(network.charAt(digits - 1))) {
            digits--;
        }
        @Nullable LndType type = LndType.named(network.substring(0, digits));
        if (type == null) {
            throw bad(text, "network \"" + network + "\" is unknown; use for example o2ib or tcp1");
        }
        return of(type, parseNumber(text, network.substring(digits)), parseAddress(text, type, address));
    }

    private static int parseNumber(String text, String number) {
        if (number.isEmpty()) {
            return 0;
        }
        long value = number.length() > 5 ? Long.MAX_VALUE : Long.parseLong(number);
        if (value > MAX_NUMBER) {
            throw bad(text, "network number " + number + " is above 65535");
        }
        return (int) value;
    }

    private static int parseAddress(String text, LndType type, String address) {
        if (address.isEmpty()) {
            throw bad(text, "the address before the @ is missing");
        }
        return type.isIpAddressed() ? parseIpv4(text, address) : parseUnsigned(text, address);
    }

    private static int parseUnsigned(String text, String address) {
        long value = address.length() > 10 || !address.chars().allMatch(c -> isDigit((char) c))
                ? Long.MAX_VALUE
                : Long.parseLong(address);
        if (value > ADDRESS_MASK) {
            throw bad(text, "address \"" + address + "\" is not a number in 0..4294967295");
        }
        return (int) value;
    }

    private static int parseIpv4(String text, String address) {
        String[] octets = address.split("\\.", -1);
        if (octets.length != 4) {
            throw bad(text, "address \"" + address + "\" is not an IPv4 address of four numbers");
        }
        int value = 0;
        for (String octet : octets) {
            boolean number =
                    !octet.isEmpty() && octet.length() <= 3 && octet.chars().allMatch(c -> isDigit((char) c));
            int part = number ? Integer.parseInt(octet) : -1;
            if (part < 0 || part > 255) {
                throw bad(text, "\"" + octet + "\" in the IPv4 address is not a number in 0..255");
            }
            value = value << 8 | part;
        }
        return value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static IllegalArgumentException bad(String text, String why) {
        return new IllegalArgumentException("\"" + text + "\" is no NID: " + why);
    }

    /** {@return the type of the network's LND, or null for the wildcard and for unknown types} */
    public @Nullable LndType type() {
        return LndType.of((int) (value >>> 48));
    }

    /** {@return the network number, 0 to 65535} */
    public int networkNumber() {
        return (int) (value >>> 32) & MAX_NUMBER;
    }

    /**
     * {@return the network of the NID: its upper 32 bits, which contain the LND type and the network number. Interfaces
     * on one network need no router}
     */
    public int network() {
        return (int) (value >>> 32);
    }

    /** {@return the address (the lower 32 bits of the NID); the first octet of an IPv4 address is the highest byte} */
    public int address() {
        return (int) value;
    }

    /** {@return whether this NID is {@link #ANY}} */
    public boolean isAny() {
        return value == -1L;
    }

    @Override
    public String toString() {
        if (isAny()) {
            return "*";
        }
        @Nullable LndType type = value >>> 56 == 0 ? type() : null;
        if (type == null) {
            return Integer.toHexString(address()) + "@<" + (value >>> 48) + ":" + networkNumber() + ">";
        }
        String address = type.isIpAddressed() ? ipv4Text() : Integer.toUnsignedString(address());
        return address + "@" + type.networkName() + (networkNumber() == 0 ? "" : networkNumber());
    }

    private String ipv4Text() {
        int address = address();
        return (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "." + (address & 0xff);
    }
}
