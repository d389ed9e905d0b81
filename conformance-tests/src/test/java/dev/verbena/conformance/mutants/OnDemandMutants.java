// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import static dev.verbena.conformance.mutants.Breaks.forgiving;
import static dev.verbena.conformance.mutants.Breaks.on;
import static dev.verbena.conformance.mutants.Breaks.refusing;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MrAdvice;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** Rule area ODP: on-demand paging. */
final class OnDemandMutants {
    private static final String TRANSFERS = "ODP-01 ODP-02 ODP-03 ODP-04 ODP-05 ODP-06 ODP-07 ODP-08 ODP-09";

    private OnDemandMutants() {}

    static List<Mutant> paging() {
        return List.of(
                Mutant.of(TRANSFERS, "the device never resolves a page anew", () -> copying(new Pages())),
                Mutant.of(TRANSFERS, "the device does not notice that a page was removed", () -> {
                    Pages pages = new Pages();
                    return copying(pages).and(resolving(pages));
                }),
                Mutant.of(
                        "ODP-11",
                        "each advice is refused",
                        () -> refusing("ProtectionDomain.adviseMr", Errno.EFAULT, call -> true)),
                forgets("the bounds of a region", call -> true),
                Mutant.of(
                        "ODP-12",
                        "an advice is answered with ENOMEM",
                        () -> Breaks.renaming("ProtectionDomain.adviseMr", Errno.ENOMEM)),
                forgets("the rights", call -> call.argument(0, MrAdvice.class) == MrAdvice.PREFETCH_WRITE));
    }

    private static Mutant forgets(String what, Predicate<Call> which) {
        return Mutant.of(
                "ODP-12", "an advice does not check " + what, () -> forgiving("ProtectionDomain.adviseMr", which));
    }

    /** The memory of the on-demand regions, and the pages that the device has resolved, which are copies. */
    private record Page(MemorySegment memory, MemorySegment copy) {}

    private static final class Pages {
        private final List<Page> all = new CopyOnWriteArrayList<>();
        private final AtomicBoolean resolved = new AtomicBoolean();

        void resolve() {
            if (!resolved.getAndSet(true)) {
                all.forEach(page -> page.copy.copyFrom(page.memory));
            }
        }

        void show() {
            all.forEach(page -> page.memory.copyFrom(page.copy));
        }
    }

    /** Registers a copy of on-demand memory at the address of the memory. */
    private static Fault copying(Pages pages) {
        return on("ProtectionDomain.registerMemory", call -> {
            Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
            for (Object flag : call.argument(call.arguments().length - 1, Set.class)) {
                access.add((AccessFlag) flag);
            }
            if (!access.contains(AccessFlag.ON_DEMAND)) {
                return call.proceed();
            }
            MemorySegment memory = call.argument(0, MemorySegment.class);
            MemorySegment copy = Arena.ofAuto().allocate(memory.byteSize(), Long.BYTES);
            pages.all.add(new Page(memory, copy));
            return call.on(ProtectionDomain.class)
                    .registerMemory(MrInitAttributes.builder(copy)
                            .lifetime(MemoryLifetime.REACHABLE)
                            .iova(memory.address())
                            .access(access)
                            .build());
        });
    }

    /** Copies the memory at the first post, and shows the copies to the process at each poll with a completion. */
    private static Fault resolving(Pages pages) {
        return on("CompletionQueue.poll", call -> {
                    Object count = call.proceed();
                    if (!Integer.valueOf(0).equals(count)) {
                        pages.show();
                    }
                    return count;
                })
                .and(posting("QueuePair.postSend", pages))
                .and(posting("QueuePair.postReceive", pages))
                .and(posting("SharedReceiveQueue.postReceive", pages));
    }

    private static Fault posting(String name, Pages pages) {
        return on(name, call -> {
            pages.resolve();
            return call.proceed();
        });
    }
}
