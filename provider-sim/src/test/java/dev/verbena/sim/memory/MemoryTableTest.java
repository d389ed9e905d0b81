package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AccessFlag;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MemoryTableTest {
    private static final int WRITE = AccessFlag.LOCAL_WRITE.mask();
    private static final int REMOTE = AccessFlag.REMOTE_WRITE.mask();
    private static final BigInteger CIRCLE = BigInteger.ONE.shiftLeft(64);

    private final Object domain = new Object();
    private final MemoryTable table = new MemoryTable(10, new SplittableRandom(5));

    private RegisteredMemory register(int length, long start, int access) {
        return Objects.requireNonNull(table.register(domain, MemorySegment.ofArray(new byte[length]), start, access));
    }

    /** Against arithmetic without limits: the distance from the start, going up and around, and whether the end is inside. */
    @Property
    void translatesExactlyTheAddressesInside(
            @ForAll long start,
            @ForAll @IntRange(min = 1, max = 100) int length,
            @ForAll @IntRange(min = -120, max = 120) int distance,
            @ForAll @IntRange(max = 120) int bytes) {
        RegisteredMemory memory = register(length, start, WRITE);
        BigInteger offset = BigInteger.valueOf(start + distance)
                .subtract(BigInteger.valueOf(start))
                .mod(CIRCLE);
        boolean inside = offset.add(BigInteger.valueOf(bytes)).compareTo(BigInteger.valueOf(length)) <= 0;
        assertThat(memory.offset(start + distance, bytes)).isEqualTo(inside ? distance : -1);
        table.deregister(memory);
    }

    @Test
    void noLengthOverflowsTheCheck() {
        RegisteredMemory memory = register(100, 0, WRITE);
        assertThat(memory.offset(1, Long.MAX_VALUE)).isEqualTo(-1);
        assertThat(memory.offset(Long.MIN_VALUE, 1)).isEqualTo(-1);
        assertThat(memory.offset(-1, 1)).isEqualTo(-1);
        assertThat(memory.offset(100, 0)).isEqualTo(100);
    }

    @Test
    void findsByTheWholeKeyDomainAndRights() {
        RegisteredMemory memory = register(100, 0, WRITE | REMOTE);
        assertThat(table.acquire(memory.key(), domain, WRITE)).isSameAs(memory);
        assertThat(table.acquire(memory.key(), domain, WRITE | REMOTE)).isSameAs(memory);
        assertThat(table.acquire(memory.key(), domain, AccessFlag.REMOTE_READ.mask()))
                .isNull();
        assertThat(table.acquire(memory.key(), new Object(), WRITE)).isNull();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            assertThat(table.acquire(memory.key() ^ (1 << bit), domain, 0)).isNull();
        }
        memory.unpin();
        memory.unpin();
        table.deregister(memory);
        assertThat(table.acquire(memory.key(), domain, 0)).isNull();
        assertThat(memory.pin()).isFalse();
    }

    @Test
    void hasRoomForAsManyAsItSays() {
        RegisteredMemory first = register(1, 0, 0);
        for (int i = 1; i < 10; i++) {
            register(1, 0, 0);
        }
        assertThat(table.register(domain, MemorySegment.ofArray(new byte[1]), 0, 0))
                .isNull();
        table.deregister(first);
        assertThat(register(1, 0, 0).key() >>> 8).isEqualTo(11);
    }

    @Test
    void endingARegistrationWaitsForUsesInProgress() throws InterruptedException {
        RegisteredMemory memory = register(100, 0, WRITE);
        RegisteredMemory pinned = Objects.requireNonNull(table.acquire(memory.key(), domain, WRITE));
        AtomicBoolean released = new AtomicBoolean();
        AtomicBoolean endedTooEarly = new AtomicBoolean();
        Thread closer = Thread.ofPlatform().start(() -> {
            table.deregister(memory);
            endedTooEarly.set(!released.get());
        });
        while (memory.pin()) {
            memory.unpin();
            Thread.onSpinWait();
        }
        // It waits now; nobody else gets in.
        assertThat(table.acquire(memory.key(), domain, WRITE)).isNull();
        released.set(true);
        pinned.unpin();
        closer.join();
        assertThat(endedTooEarly).isFalse();
    }
}
