// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.explain.QpSurroundings;
import dev.verbena.sim.queue.Ring;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Collects values for the diagnosis of a queue pair: CQ overruns, posted receive requests, reachability of the peer. */
final class Surroundings {
    private Surroundings() {}

    static QpSurroundings of(QueuePair queuePair, Ring receives, SimPort port, QpAttributes attributes) {
        boolean reachable = !attributes.has(QpAttribute.AV)
                || attributes
                        .addressVector()
                        .route()
                        .filter(route -> !port.reaches(port.gids().get(route.sgidIndex()), route.destination()))
                        .isEmpty();
        List<String> overruns = Stream.of(queuePair.sendCq(), queuePair.receiveCq())
                .distinct()
                .flatMap(queue -> ((SimCompletionQueue) queue).overrunReport().stream())
                .toList();
        Optional<SharedReceiveQueue> shared = queuePair.srq();
        return new QpSurroundings(
                reachable,
                shared.isPresent(),
                shared.map(queue -> queue + ", shared")
                        .orElseGet(() -> receives.count() + " of " + receives.capacity() + " receives posted"),
                overruns);
    }
}
