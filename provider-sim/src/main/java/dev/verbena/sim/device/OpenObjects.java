// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsArena;
import java.util.ArrayList;
import java.util.List;

final class OpenObjects {
    private final List<Leak> found = new ArrayList<>();

    static List<Leak> below(Children... roots) {
        OpenObjects walk = new OpenObjects();
        for (Children root : roots) {
            walk.visit(root);
        }
        return List.copyOf(walk.found);
    }

    private void visit(Children children) {
        children.forEach((object, opened) -> {
            found.add(new Leak(kindOf(object), object.toString(), opened));
            if (object instanceof Parent parent) {
                visit(parent.children());
            }
        });
    }

    private static String kindOf(Object object) {
        return switch (object) {
            case Device device -> "device";
            case ProtectionDomain domain -> "PD";
            case MemoryRegion region -> "MR";
            case MemoryWindow window -> "MW";
            case QueuePair queuePair -> "QP";
            case CompletionQueue queue -> "CQ";
            case CompletionChannel channel -> "channel";
            case SharedReceiveQueue queue -> "SRQ";
            case AddressHandle handle -> "AH";
            case VerbsArena arena -> "arena";
            default -> object.getClass().getSimpleName();
        };
    }
}
