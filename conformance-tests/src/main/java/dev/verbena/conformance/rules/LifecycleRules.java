package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.verbena.conformance.Completion;
import dev.verbena.conformance.Endpoint;
import dev.verbena.conformance.Pair;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.Rule;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import net.jqwik.api.Example;
import org.junit.jupiter.api.function.Executable;

/** Area OBJ: the order in which objects may be closed. */
public interface LifecycleRules extends RuleSet {
    @Rule(
            id = "OBJ-01",
            text =
                    "A domain and the completion queues of an open queue pair refuse to be closed with EBUSY, and all work"
                            + " on as before.",
            source = "ibv_dealloc_pd(3), ibv_destroy_cq(3)",
            lookAt = {"the counts of users, and that a refusal takes nothing apart"})
    @Example
    default void whatAQueuePairUsesCannotBeClosedBeforeIt() throws VerbsException {
        try (Pair pair = Pair.connected(openRig())) {
            Endpoint endpoint = pair.requester();
            assertBusy(() -> endpoint.protectionDomain().close());
            assertBusy(() -> endpoint.queuePair().sendCq().close());
            assertBusy(() -> endpoint.queuePair().receiveCq().close());
            pair.responder().postReceive(1, 0, 8);
            endpoint.postSend(2, true, 0, 8);
            assertEquals(List.of(2L), Completion.ids(endpoint.awaitSends(1)));
            assertEquals(List.of(1L), Completion.ids(pair.responder().awaitReceives(1)));
        }
    }

    @Rule(
            id = "OBJ-02",
            text =
                    "An arena refuses to be closed with EBUSY while a region covers a part of it, and its memory stays; once"
                            + " the region is closed it can be.",
            source = "Verbena SPI, VerbsArena.close",
            needs = {},
            lookAt = {"who counts the regions of an arena, also those of slices"})
    @Example
    default void anArenaIsKeptByTheRegionsOverIt() throws VerbsException {
        try (ProviderRig rig = openRig();
                ProtectionDomain domain = rig.first().allocatePd()) {
            VerbsArena arena = rig.first().newArena();
            var memory = arena.allocatePages(3 * VerbsArena.PAGE_SIZE);
            MemoryRegion region = domain.registerMemory(
                    memory.asSlice(VerbsArena.PAGE_SIZE, VerbsArena.PAGE_SIZE), AccessFlag.LOCAL_WRITE);
            VerbsBusyException refusal = assertThrows(VerbsBusyException.class, arena::close);
            assertEquals(Errno.EBUSY, refusal.errno());
            memory.fill((byte) 1);
            assertBusy(domain::close);
            region.close();
            arena.close();
            assertThrows(IllegalStateException.class, () -> memory.fill((byte) 2), "access to memory that was freed");
        }
    }

    private static void assertBusy(Executable close) {
        VerbsException refusal = assertThrows(VerbsException.class, close);
        assertEquals(Errno.EBUSY, refusal.errno(), refusal::getMessage);
    }
}
