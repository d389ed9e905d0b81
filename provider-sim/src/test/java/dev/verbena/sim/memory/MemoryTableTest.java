// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AccessFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTableTest {
    private static final int WRITE = AccessFlag.LOCAL_WRITE.mask();
    private static final int REMOTE = AccessFlag.REMOTE_WRITE.mask();
    private static final BigInteger CIRCLE = BigInteger.ONE.shiftLeft(64);

    private final Object domain = new Object();
    private final MemoryTable table = new MemoryTable(10, 3, false, new SplittableRandom(5));
    private final GrantedRange grant = new GrantedRange(table, new MemoryUser(domain, 17), QpRole.REQUESTER);

    private UserMemory register(int length, long start, int access) {
        MemoryPieces memory = MemoryPieces.of(MemorySegment.ofArray(new byte[length]));
        return Objects.requireNonNull(table.register(domain, memory, start, access));
    }

    private boolean isGranted(int key, int access, long address, long bytes) {
        boolean granted = grant.openLocal(key, access, address, bytes);
        grant.close();
        return granted;
    }

    /** Compares with exact arithmetic: the distance from the start, modulo 2^64, and whether the end is inside. */
    @Property
    void grantsExactlyTheAddressesInside(
            @ForAll long start,
            @ForAll @IntRange(min = 1, max = 100) int length,
            @ForAll @IntRange(min = -120, max = 120) int distance,
            @ForAll @IntRange(max = 120) int bytes) {
        UserMemory memory = register(length, start, WRITE);
        BigInteger offset = BigInteger.valueOf(start + distance)
                .subtract(BigInteger.valueOf(start))
                .mod(CIRCLE);
        boolean inside = offset.add(BigInteger.valueOf(bytes)).compareTo(BigInteger.valueOf(length)) <= 0;
        assertThat(isGranted(memory.key(), 0, start + distance, bytes)).isEqualTo(inside);
        table.deregister(memory);
    }

    @Test
    void noLengthOverflowsTheCheck() {
        int key = register(100, 0, WRITE).key();
        assertThat(isGranted(key, 0, 1, Long.MAX_VALUE)).isFalse();
        assertThat(isGranted(key, 0, Long.MIN_VALUE, 1)).isFalse();
        assertThat(isGranted(key, 0, 50, -1)).isFalse();
        assertThat(isGranted(key, 0, -1, 1)).isFalse();
        assertThat(isGranted(key, 0, 100, 0)).isTrue();
    }

    @Test
    void findsByTheWholeKeyDomainAndRights() {
        UserMemory memory = register(100, 0, WRITE | REMOTE);
        int key = memory.key();
        assertThat(isGranted(key, WRITE, 0, 1)).isTrue();
        assertThat(isGranted(key, WRITE | REMOTE, 0, 1)).isTrue();
        assertThat(isGranted(key, AccessFlag.REMOTE_READ.mask(), 0, 1)).isFalse();
        assertThat(new GrantedRange(table, new MemoryUser(new Object(), 17), QpRole.RESPONDER)
                        .openRemote(key, WRITE, 0, 1))
                .isFalse();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            assertThat(isGranted(key ^ (1 << bit), 0, 0, 1)).isFalse();
        }
        table.deregister(memory);
        assertThat(isGranted(key, 0, 0, 1)).isFalse();
    }

    @Test
    void hasRoomForTheStatedNumberOfRegions() {
        UserMemory first = register(1, 0, 0);
        for (int i = 1; i < 10; i++) {
            register(1, 0, 0);
        }
        assertThat(table.register(domain, MemoryPieces.of(MemorySegment.ofArray(new byte[1])), 0, 0))
                .isNull();
        assertThat(table.allocateFast(domain)).isNull();
        assertThat(table.allocateFmr(domain, 0)).isNull();
        table.deregister(first);
        assertThat(register(1, 0, 0).key() >>> 8).isEqualTo(11);
    }

    @Test
    void endingARegistrationWaitsForUsesInProgress() throws InterruptedException {
        UserMemory memory = register(100, 0, WRITE);
        int key = memory.key();
        GrantedRange user = new GrantedRange(table, new MemoryUser(domain, 18), QpRole.REQUESTER);
        assertThat(user.openLocal(key, WRITE, 0, 100)).isTrue();
        AtomicBoolean released = new AtomicBoolean();
        AtomicBoolean endedTooEarly = new AtomicBoolean();
        Thread closer = Thread.ofPlatform().start(() -> {
            table.deregister(memory);
            endedTooEarly.set(!released.get());
        });
        while (isGranted(key, 0, 0, 1)) {
            Thread.onSpinWait();
        }
        // The closing thread waits now; no further reader enters.
        assertThat(isGranted(key, 0, 0, 1)).isFalse();
        released.set(true);
        user.close();
        closer.join();
        assertThat(endedTooEarly).isFalse();
    }

    /** A sparse file, so that neither memory nor disk is used up. */
    @Test
    void reachesBytesBeyondFourGiB(@TempDir Path directory) throws IOException {
        long size = (1L << 32) + 65536;
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        directory.resolve("hole"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.SPARSE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment memory = file.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            UserMemory region = Objects.requireNonNull(table.register(domain, MemoryPieces.of(memory), 0x1000, WRITE));
            assertThat(grant.openLocal(region.key(), WRITE, 0x1000 + size - 3, 3))
                    .isTrue();
            grant.copyFrom(MemorySegment.ofArray(new byte[] {1, 2, 3}), 0, 3);
            grant.close();
            assertThat(memory.asSlice(size - 3).toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
            assertThat(memory.asSlice(65533, 3).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
            assertThat(isGranted(region.key(), WRITE, 0x1000 + size - 3, 4)).isFalse();
            assertThat(isGranted(region.key(), WRITE, 0x1000, size)).isTrue();
            assertThat(isGranted(region.key(), WRITE, 0x1000, size + 1)).isFalse();
            table.deregister(region);
        }
    }

    @Test
    void aGrantCanBeClosedTwiceAndUsedAgain() {
        UserMemory memory = register(100, 0, WRITE);
        assertThat(grant.openLocal(memory.key(), WRITE, 0, 100)).isTrue();
        grant.close();
        grant.close();
        assertThat(grant.openLocal(memory.key(), WRITE, 0, 100)).isTrue();
        grant.close();
        assertThat(table.deregister(memory)).isTrue();
    }
}
