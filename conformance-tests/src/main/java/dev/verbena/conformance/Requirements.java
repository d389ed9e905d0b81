// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.cm.CmCapability;
import dev.verbena.conformance.rules.Needs;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.side.Facts;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

final class Requirements {
    private Requirements() {}

    /**
     * Returns the requirements of a rule that the devices, or the {@link ProviderRig}, do not meet; empty if the kit can
     * execute the rule.
     */
    static Optional<String> missing(RuleCatalogue.Entry rule, VerbsConformance suite) {
        List<String> missing = new ArrayList<>();
        try (Pair pair = suite.pair()) {
            Facts first = pair.first().facts();
            Facts second = pair.second().facts();
            for (Capability need : rule.needs()) {
                if (!first.capabilities().contains(need)
                        || !second.capabilities().contains(need)) {
                    missing.add(need.description() + " (" + need + ")");
                }
            }
            if (rule.needs().contains(Capability.RC)
                    && !rule.needs().contains(Capability.MANUAL_CONNECT)
                    && !pair.connectsByModify()
                    && !manage(first, second)) {
                missing.add(
                        "a way to connect queue pairs (MANUAL_CONNECT, or connection managers and ports with IP addresses)");
            }
            for (Needs need : rule.rig()) {
                boolean there = switch (need) {
                    case FAULTS -> pair.link().faults().isPresent();
                    case TAP -> pair.link().tap().isPresent();
                    case WALL_TIME -> !first.virtualTime() && !second.virtualTime();
                    case VIRTUAL_TIME -> first.virtualTime() && second.virtualTime();
                    case ROCE -> roce(first, second);
                    case CONNECTIONS -> manage(first, second);
                    case CM_EXTERNAL_QP -> manage(first, second, CmCapability.EXTERNAL_QP);
                    case CM_DATAGRAMS -> manage(first, second, CmCapability.DATAGRAM);
                    case CM_MULTICAST -> manage(first, second, CmCapability.MULTICAST);
                };
                if (!there) {
                    missing.add(need.description());
                }
            }
        } catch (RuntimeException unusable) {
            // If openRig() fails, this method returns empty; the rule then fails and reports the cause.
            return Optional.empty();
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", missing));
    }

    private static boolean roce(Facts first, Facts second) {
        return Stream.of(first, second)
                .allMatch(each -> each.port().linkLayer() == LinkLayer.ETHERNET
                        && each.source().type() == GidType.ROCE_V2);
    }

    private static boolean manage(Facts first, Facts second, CmCapability... wanted) {
        return Stream.of(first, second)
                .allMatch(each -> each.ip().isPresent()
                        && each.connections().isPresent()
                        && each.connections().get().containsAll(List.of(wanted)));
    }
}
