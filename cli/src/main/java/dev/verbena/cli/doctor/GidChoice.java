package dev.verbena.cli.doctor;

import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;

/** Explains the choice of an entry of a GID table if the user names none. */
final class GidChoice {
    private GidChoice() {}

    static String reason(GidEntry chosen) {
        String type = chosen.type() == GidType.ROCE_V2 ? "RoCE v2" : "for want of RoCE v2";
        if (chosen.type() == GidType.IB) {
            return "the first one of an InfiniBand port";
        }
        if (chosen.gid().isIpv4()) {
            return type + ", and IPv4";
        }
        return chosen.gid().isLinkLocal()
                ? type + ", link-local for want of an address; give " + chosen.interfaceName() + " one"
                : type + ", and a routable IPv6 address for want of an IPv4 one";
    }
}
