// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpEndpoint;
import java.io.IOException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The endpoint of a peer's queue pair, and the rkey and start address of the peer's memory. */
record PerftestPeer(QpEndpoint endpoint, int rkey, long address) {
    private static final int HEX = 16;
    private static final Pattern LINE =
            Pattern.compile("qp ([0-9a-f]{1,4}):([0-9a-f]{1,6}):([0-9a-f]{1,6}):([0-9a-f]{1,8})"
                    + ":([0-9a-f]{1,16}):([0-9]{3,4}):([0-9]{1,3}):(\\S+)");

    String encode() {
        return String.format(
                Locale.ROOT,
                "qp %04x:%06x:%06x:%08x:%016x:%d:%d:%s",
                endpoint.lid(),
                endpoint.queuePairNumber(),
                endpoint.psn().value(),
                rkey,
                address,
                endpoint.mtu().bytes(),
                endpoint.readDepth(),
                endpoint.gid());
    }

    static PerftestPeer decode(String line) throws IOException {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IOException("the description of the other end's queue pair is invalid: '" + line + "'");
        }
        try {
            QpEndpoint endpoint = new QpEndpoint(
                    Gid.parse(matcher.group(8)),
                    Integer.parseInt(matcher.group(1), HEX),
                    Integer.parseInt(matcher.group(2), HEX),
                    Psn.of(Integer.parseInt(matcher.group(3), HEX)),
                    PathMtu.ofBytes(Integer.parseInt(matcher.group(6))),
                    Integer.parseInt(matcher.group(7)));
            return new PerftestPeer(
                    endpoint,
                    Integer.parseUnsignedInt(matcher.group(4), HEX),
                    Long.parseUnsignedLong(matcher.group(5), HEX));
        } catch (IllegalArgumentException wrong) {
            throw new IOException("the other end's queue pair is '" + line + "': " + wrong.getMessage(), wrong);
        }
    }

    /** The line that perftest prints. */
    String describe() {
        return String.format(
                Locale.ROOT,
                "LID 0x%04x QPN 0x%04x PSN 0x%06x RKey 0x%08x VAddr 0x%016x",
                endpoint.lid(),
                endpoint.queuePairNumber(),
                endpoint.psn().value(),
                rkey,
                address);
    }
}
