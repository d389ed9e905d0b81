// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** All mutants. Every rule is broken by one of them: a rule that no mutant breaks would be useless. */
final class Mutants {
    private Mutants() {}

    static List<Mutant> all() {
        return Stream.of(
                        ObjectMutants.objects(),
                        ObjectMutants.states(),
                        PostMutants.refusals(),
                        PostMutants.posts(),
                        CompletionMutants.completions(),
                        PacketMutants.receiverNotReady(),
                        PacketMutants.retries(),
                        PacketMutants.messages(),
                        MemoryMutants.regions(),
                        MemoryMutants.windows(),
                        MemoryMutants.atomics(),
                        OnDemandMutants.paging(),
                        EventMutants.sharedQueues(),
                        EventMutants.events(),
                        WireMutants.wire(),
                        WireMutants.datagrams(),
                        WireMutants.unreliable(),
                        ObjectMutants.limits(),
                        ThreadMutants.threads(),
                        ObjectMutants.links(),
                        CmMutants.connecting(),
                        CmMutants.ending(),
                        CmMutants.datagrams())
                .flatMap(Collection::stream)
                .toList();
    }
}
