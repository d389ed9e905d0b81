package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.conformance.Completion;
import dev.verbena.conformance.Endpoint;
import dev.verbena.conformance.EndpointOptions;
import dev.verbena.conformance.Pair;
import dev.verbena.conformance.Rule;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Area MEM: what a peer may touch, and that it touches nothing else. */
public interface MemoryRules extends RuleSet {
    /**
     * A range that is not inside a region.
     *
     * @param from the first byte, counted from the start of the region
     * @param length bytes, at least 1
     */
    record Trespass(int from, int length) {
        private static final int REGION = 2 * Endpoint.GUARD;

        /** Ranges that begin before the region or end behind it, mostly by little, but never outside of the guards. */
        static final class Any implements ArbitrarySupplier<Trespass> {
            @Override
            public Arbitrary<Trespass> get() {
                Arbitrary<Integer> beyond = Arbitraries.oneOf(
                        Arbitraries.integers().between(1, 2),
                        Arbitraries.integers().between(1, Endpoint.GUARD));
                Arbitrary<Integer> within = Arbitraries.integers().between(0, Endpoint.GUARD);
                Arbitrary<Trespass> before =
                        Combinators.combine(beyond, within).as((out, in) -> new Trespass(-out, out + in));
                Arbitrary<Trespass> behind =
                        Combinators.combine(beyond, within).as((out, in) -> new Trespass(REGION - in, out + in));
                return Arbitraries.oneOf(before, behind);
            }
        }
    }

    @Rule(
            id = "MEM-01",
            text = "An RDMA WRITE of which a single byte lies outside of the region completes with REM_ACCESS_ERR, the"
                    + " queue pair is in ERR then, and not one byte is written.",
            source = "ibv_post_send(3); IBTA volume 1, 9.7.4.1.6 and 10.6",
            lookAt = {
                "the check of address and length in the RETH, made with the first packet and before any byte is copied",
                "sums of address and length that overflow"
            })
    @Property
    default void aWriteThatLeavesTheRegionWritesNothing(@ForAll(supplier = Trespass.Any.class) Trespass range)
            throws VerbsException {
        EndpointOptions options = EndpointOptions.usual().withBytes(Trespass.REGION);
        try (Pair pair = Pair.connected(openRig(), options)) {
            MemoryRegion region = pair.responder().region();
            assertRefused(pair, region.address() + range.from(), range.length(), region.rkey());
        }
    }

    @Rule(
            id = "MEM-02",
            text =
                    "An RDMA WRITE to a region without REMOTE_WRITE completes with REM_ACCESS_ERR, and not one byte is written.",
            source = "ibv_reg_mr(3); IBTA volume 1, 10.6",
            lookAt = {"the rights of the region, which count beside those of the queue pair"})
    @Example
    default void aWriteToARegionThatDoesNotGrantItWritesNothing() throws VerbsException {
        EndpointOptions options = EndpointOptions.usual().withAccess(AccessFlag.LOCAL_WRITE);
        try (Pair pair = Pair.connected(openRig(), options)) {
            MemoryRegion region = pair.responder().region();
            assertRefused(pair, region.address(), 64, region.rkey());
        }
    }

    @Rule(
            id = "MEM-03",
            text =
                    "The key of a region that was closed grants nothing any more, even where another region covers the memory.",
            source = "ibv_dereg_mr(3); IBTA volume 1, 10.6",
            lookAt = {"the look-up of a key: all 32 bits must be those of a registration that is alive"})
    @Example
    default void theKeyOfAClosedRegionGrantsNothing() throws VerbsException {
        try (Pair pair = Pair.connected(openRig())) {
            Endpoint responder = pair.responder();
            MemoryRegion closed = responder.registerAgain();
            closed.close();
            assertRefused(pair, closed.address(), 64, closed.rkey());
        }
    }

    private static void assertRefused(Pair pair, long address, int length, int rkey) {
        byte[] before = pair.responder().contents();
        pair.requester().write(0, length, 1);
        pair.requester().postWrite(1, 0, length, address, rkey);
        List<Completion> sent = pair.requester().awaitSends(1);
        assertEquals(List.of(WorkCompletionStatus.REMOTE_ACCESS_ERROR), Completion.statuses(sent));
        assertEquals(QpState.ERR, pair.requester().queuePair().state());
        pair.responder().assertHolds(before);
    }
}
