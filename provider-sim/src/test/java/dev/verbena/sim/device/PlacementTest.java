// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.Placement;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.VerbsException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The bytes of a message that a program may see at each time if they become visible as late as permitted. */
class PlacementTest {
    private static final int LENGTH = 2048;
    private static final AccessFlag[] ALL = {
        AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC
    };

    /**
     * Two connected nodes; the right one places adversarially, and lets the left one write to a region with all rights.
     */
    private static final class Pair implements AutoCloseable {
        final Lab lab;
        final Node left;
        final Node right;
        final MemoryRegion target;
        final Endpoint from;
        final Endpoint to;

        Pair(long seed, Placement placement) throws VerbsException {
            lab = new Lab(new VirtualRuntime(seed));
            left = lab.node("sim0", "192.0.2.1");
            right = lab.node(
                    "sim1",
                    "192.0.2.2",
                    profile -> profile.toBuilder().placement(placement).build());
            target = right.domain().registerMemory(right.memory(), ALL);
            left.fill(0, LENGTH, 1);
            from = left.endpoint();
            to = right.endpoint();
            from.connect(to, Connection.USUAL.granting(ALL));
        }

        /** Writes the first bytes of the left memory; the left application sees the completion. */
        void write() {
            from.post(wr ->
                    wr.rdmaWrite(target.address(), target.rkey()).signaled().sge(left.region(), 0, LENGTH));
            lab.settle();
            assertThat(from.sends()).containsExactly("RDMA_WRITE 0");
        }

        byte[] seen() {
            return right.bytes(0, LENGTH);
        }

        void assertAllSeen() {
            assertThat(seen()).isEqualTo(left.bytes(0, LENGTH));
        }

        void assertNotAllSeen() {
            assertThat(seen()).isNotEqualTo(left.bytes(0, LENGTH));
        }

        @Override
        public void close() {
            lab.close();
        }
    }

    @Test
    void pollingForTheLastByteFailsAndWaitingForASendWorks() throws VerbsException {
        int caught = 0;
        for (long seed = 1; seed <= 40; seed++) {
            try (Pair pair = new Pair(seed, Placement.ADVERSARIAL)) {
                pair.to.receive(7, LENGTH, 64);
                pair.write();
                pair.assertNotAllSeen();
                byte last = pair.seen()[LENGTH - 1];
                caught += last != 0 && last == pair.left.bytes(0, LENGTH)[LENGTH - 1] ? 1 : 0;
                pair.from.send(2, 0, 5);
                pair.lab.settle();
                assertThat(pair.to.receives()).containsExactly("RECV 7 of 5 bytes");
                pair.assertAllSeen();
            }
        }
        assertThat(caught)
                .as("runs of 40 in which the last byte has arrived before others")
                .isPositive();
    }

    @Test
    void pollingForTheLastByteWorksWithImmediatePlacement() throws VerbsException {
        try (Pair pair = new Pair(1, Placement.IMMEDIATE)) {
            pair.write();
            pair.assertAllSeen();
        }
    }

    @Test
    void theReceiveOfImmediateDataCompletesAfterItsWriteIsVisible() throws VerbsException {
        try (Pair pair = new Pair(3, Placement.ADVERSARIAL)) {
            pair.to.receive(1, LENGTH, 0);
            pair.from.post(wr -> wr.rdmaWriteWithImmediate(pair.target.address(), pair.target.rkey(), 9)
                    .sge(pair.left.region(), 0, LENGTH));
            pair.lab.settle();
            pair.assertAllSeen();
        }
    }

    @Test
    void aReadOrAnAtomicSeesWhatWasWrittenBefore() throws VerbsException {
        try (Pair pair = new Pair(4, Placement.ADVERSARIAL)) {
            pair.write();
            pair.from.post(wr ->
                    wr.rdmaRead(pair.target.address(), pair.target.rkey()).sge(pair.left.region(), LENGTH, LENGTH));
            pair.lab.settle();
            assertThat(pair.left.bytes(LENGTH, LENGTH)).isEqualTo(pair.left.bytes(0, LENGTH));
            pair.assertAllSeen();
        }
        try (Pair pair = new Pair(5, Placement.ADVERSARIAL)) {
            pair.write();
            pair.from.post(wr ->
                    wr.fetchAndAdd(pair.target.address(), pair.target.rkey(), 0).sge(pair.left.region(), LENGTH, 8));
            pair.lab.settle();
            assertThat(pair.left.bytes(LENGTH, 8)).isEqualTo(pair.left.bytes(0, 8));
            pair.assertAllSeen();
        }
    }

    private interface End {
        void of(Endpoint endpoint) throws VerbsException;
    }

    private static void assertSeenAfter(End end) throws VerbsException {
        try (Pair pair = new Pair(6, Placement.ADVERSARIAL)) {
            pair.write();
            pair.assertNotAllSeen();
            end.of(pair.to);
            pair.lab.settle();
            pair.assertAllSeen();
        }
    }

    @Test
    void nothingIsLeftToBeWrittenWhenTheQueuePairEnds() throws VerbsException {
        assertSeenAfter(Endpoint::fail);
        assertSeenAfter(endpoint -> endpoint.qp().modify(QpAttributes.reset()));
        assertSeenAfter(endpoint -> endpoint.qp().close());
    }

    @Test
    void memoryIsLeftAloneOnceItsRegionIsClosed() throws VerbsException {
        try (Pair pair = new Pair(7, Placement.ADVERSARIAL)) {
            pair.to.receive(1, LENGTH, 64);
            pair.write();
            pair.target.close();
            pair.right.memory().fill((byte) 0);
            pair.from.send(2, 0, 0);
            pair.lab.settle();
            assertThat(pair.to.receives()).containsExactly("RECV 1 of 0 bytes");
            assertThat(pair.seen()).containsOnly(0);
        }
    }

    @Test
    void theSameSeedShowsTheSame() throws VerbsException {
        byte[][] seen = new byte[3][];
        for (int run = 0; run < seen.length; run++) {
            try (Pair pair = new Pair(run == 2 ? 9 : 8, Placement.ADVERSARIAL)) {
                pair.write();
                seen[run] = pair.seen();
            }
        }
        assertThat(seen[0]).isEqualTo(seen[1]).isNotEqualTo(seen[2]);
    }

    @Property(tries = 60)
    void laterBytesWin(@ForAll long seed) throws VerbsException {
        Random random = new Random(seed);
        try (Pair pair = new Pair(seed, Placement.ADVERSARIAL)) {
            MemoryRegion other = pair.right.domain().registerMemory(pair.right.memory(), ALL);
            byte[] model = new byte[LENGTH];
            for (int i = 0; i < 30; i++) {
                MemoryRegion region = random.nextInt(6) == 0 ? other : pair.target;
                int at = random.nextInt(LENGTH);
                int length = random.nextInt(LENGTH - at + 1);
                pair.left.fill(0, length, i);
                byte[] bytes = pair.left.bytes(0, length);
                System.arraycopy(bytes, 0, model, at, length);
                if (random.nextInt(4) == 0) {
                    pair.to.receive(wr -> wr.sge(pair.right.region(), at, length));
                    pair.from.send(0, 0, length);
                    pair.lab.settle();
                    assertThat(pair.seen()).isEqualTo(model);
                } else {
                    pair.from.post(wr ->
                            wr.rdmaWrite(region.address() + at, region.rkey()).sge(pair.left.region(), 0, length));
                    pair.lab.settle();
                }
            }
            pair.to.qp().close();
            assertThat(Arrays.equals(pair.seen(), model)).isTrue();
        }
    }
}
