// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.doctor;

import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;

/** Explains which entry of a GID table is used by default, and why. */
final class GidChoice {
    private GidChoice() {}

    static String reason(GidEntry chosen) {
        String type = chosen.type() == GidType.ROCE_V2 ? "RoCE v2" : "not RoCE v2, because no entry has that type";
        if (chosen.type() == GidType.IB) {
            return "the first one of an InfiniBand port";
        }
        if (chosen.gid().isIpv4()) {
            return type + ", and IPv4";
        }
        return chosen.gid().isLinkLocal()
                ? type + ", link-local because the interface has no address; assign one to " + chosen.interfaceName()
                : type + ", and a routable IPv6 address because no entry has IPv4";
    }
}
