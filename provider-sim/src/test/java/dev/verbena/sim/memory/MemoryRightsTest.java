// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.RemoteKey;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The rules of windows and fast registration one by one: IBTA volume 1, 10.6.7. */
class MemoryRightsTest {
    private static final int READ = AccessFlag.REMOTE_READ.mask();
    private static final int WRITE = AccessFlag.REMOTE_WRITE.mask();
    private static final int ATOMIC = AccessFlag.REMOTE_ATOMIC.mask();
    private static final int ZERO_BASED = AccessFlag.ZERO_BASED.mask();
    private static final int BINDABLE = AccessFlag.maskOf(Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND));
    private static final long START = 0x1000;
    private static final int SIZE = 0x100;

    private final Object domain = new Object();
    private final MemoryUser user = new MemoryUser(domain, 17);
    private final MemoryUser sibling = new MemoryUser(domain, 18);
    private final MemoryUser successor = new MemoryUser(domain, 17);
    private final MemoryUser stranger = new MemoryUser(new Object(), 17);
    private MemoryTable table = new MemoryTable(10, 2, false, new SplittableRandom(5));

    private final UserMemory region = region(BINDABLE);

    private UserMemory region(int access) {
        return Objects.requireNonNull(table.register(domain, bytes(), START, access));
    }

    private static MemoryPieces bytes() {
        return MemoryPieces.of(MemorySegment.ofArray(new byte[SIZE]));
    }

    private RegisteredWindow window(MemoryWindowType type) {
        return Objects.requireNonNull(table.allocateWindow(domain, type));
    }

    private boolean bind(RegisteredWindow window, long address, long bytes, int access) {
        int key = window.key();
        return table.bind(user, key, RemoteKey.increment(key), region.key(), address, bytes, access);
    }

    private boolean grants(MemoryUser who, int rkey, int access, long address, long bytes) {
        GrantedRange grant = new GrantedRange(table, who, QpRole.RESPONDER);
        boolean granted = grant.openRemote(rkey, access, address, bytes);
        grant.close();
        return granted;
    }

    @Test
    void aWindowGrantsItsOwnBoundsAndRightsOnly() {
        RegisteredWindow window = window(MemoryWindowType.TYPE_1);
        int former = window.key();
        assertThat(grants(user, former, 0, START, 1)).isFalse();
        assertThat(bind(window, START + 16, 32, READ | WRITE)).isTrue();
        int key = window.key();
        assertThat(key).isEqualTo(RemoteKey.increment(former));
        assertThat(grants(user, key, WRITE, START + 16, 32)).isTrue();
        assertThat(grants(user, key, WRITE, START + 15, 1)).isFalse();
        assertThat(grants(user, key, WRITE, START + 47, 2)).isFalse();
        assertThat(grants(user, key, ATOMIC, START + 16, 8)).isFalse();
        assertThat(grants(user, former, WRITE, START + 16, 32)).isFalse();
        assertThat(grants(sibling, key, READ, START + 16, 32)).isTrue();
        assertThat(grants(stranger, key, READ, START + 16, 32)).isFalse();
        // The region itself grants a peer nothing, and a window's key is not a local key.
        assertThat(grants(user, region.key(), WRITE, START + 16, 32)).isFalse();
        assertThat(new GrantedRange(table, user, QpRole.REQUESTER).openLocal(key, 0, START + 16, 32))
                .isFalse();
    }

    /**
     * The access point that a grant cached for the peer is not used for a request of this side, even after a refusal in
     * between.
     */
    @Test
    void aWindowsKeyIsRefusedAsALocalKey() {
        RegisteredWindow window = window(MemoryWindowType.TYPE_1);
        assertThat(bind(window, START, 32, READ)).isTrue();
        int unknown = region.key() ^ 1;
        GrantedRange grant = new GrantedRange(table, user, QpRole.REQUESTER);
        assertThat(grant.openRemote(window.key(), READ, START, 32)).isTrue();
        assertThat(grant.openLocal(unknown, 0, START, 32)).isFalse();
        assertThat(grant.openLocal(window.key(), 0, START, 32)).isFalse();
        assertThat(grant.openRemote(window.key(), READ, START, 32)).isTrue();
        grant.close();
        assertThat(grant.openLocal(region.key(), 0, START, SIZE + 1)).isFalse();
        assertThat(grant.openLocal(window.key(), 0, START, 32)).isFalse();
    }

    @Test
    void aZeroBasedWindowCountsFromItsOwnStart() {
        RegisteredWindow window = window(MemoryWindowType.TYPE_2);
        assertThat(bind(window, START + 16, 32, WRITE | ZERO_BASED)).isTrue();
        GrantedRange grant = new GrantedRange(table, user, QpRole.REQUESTER);
        assertThat(grant.openRemote(window.key(), WRITE, 0, 32)).isTrue();
        grant.copyFrom(MemorySegment.ofArray(new byte[] {9}), 0, 1);
        grant.close();
        byte[] seen = new byte[1];
        assertThat(region.read(START + 16, MemorySegment.ofArray(seen), 0, 1)).isEqualTo(KeyDefect.NONE);
        assertThat(seen).containsExactly(9);
        assertThat(grants(user, window.key(), WRITE, 0, 33)).isFalse();
        assertThat(grants(user, window.key(), WRITE, START + 16, 1)).isFalse();
    }

    @Test
    void typeOneIsReboundAndUnboundButNeverInvalidatedOrZeroBased() {
        RegisteredWindow window = window(MemoryWindowType.TYPE_1);
        assertThat(bind(window, START, 16, ZERO_BASED | READ)).isFalse();
        assertThat(bind(window, START, 16, READ)).isTrue();
        int first = window.key();
        assertThat(bind(window, START + 32, 16, READ)).isTrue();
        assertThat(region.windows()).isEqualTo(1);
        assertThat(grants(user, first, READ, START, 1)).isFalse();
        assertThat(table.invalidate(user, window.key(), false)).isFalse();
        assertThat(table.invalidate(user, window.key(), true)).isFalse();
        assertThat(grants(user, window.key(), READ, START + 32, 16)).isTrue();
        assertThat(bind(window, 0, 0, 0)).isTrue();
        assertThat(region.windows()).isZero();
        assertThat(grants(user, window.key(), 0, START + 32, 1)).isFalse();
    }

    @Test
    void aRefusedRebindLeavesTheWindowAsItWas() {
        RegisteredWindow window = window(MemoryWindowType.TYPE_1);
        assertThat(bind(window, START, 16, READ)).isTrue();
        int key = window.key();
        assertThat(bind(window, START + SIZE - 8, 9, READ)).isFalse();
        assertThat(window.key()).isEqualTo(key);
        assertThat(grants(user, key, READ, START, 16)).isTrue();
        assertThat(region.windows()).isEqualTo(1);
    }

    @Test
    void typeTwoIsBoundOnceAndInvalidatedByItsQueuePair() {
        RegisteredWindow window = window(MemoryWindowType.TYPE_2);
        assertThat(bind(window, START, 0, READ)).isFalse();
        assertThat(bind(window, START, 16, READ)).isTrue();
        int key = window.key();
        assertThat(bind(window, START, 16, READ)).isFalse();
        assertThat(grants(user, key, READ, START, 16)).isTrue();
        assertThat(grants(sibling, key, READ, START, 16)).isFalse();
        assertThat(grants(successor, key, READ, START, 16)).isFalse();
        assertThat(table.invalidate(sibling, key, false)).isFalse();
        assertThat(table.invalidate(stranger, key, true)).isFalse();
        assertThat(table.invalidate(user, key ^ 1, false)).isFalse();
        assertThat(table.invalidate(user, key, true)).isTrue();
        assertThat(grants(user, key, READ, START, 16)).isFalse();
        assertThat(table.invalidate(user, key, true)).isFalse();
        assertThat(table.invalidate(user, key, false)).isTrue();
        // A request that was prepared before the last bind names a former key, and must not revive it.
        assertThat(table.bind(user, key ^ 1, key, region.key(), START, 16, READ))
                .isFalse();
        assertThat(bind(window, START, 16, READ)).isTrue();
    }

    @Test
    void typeTwoAGoesByTheNumberOfTheQueuePair() {
        table = new MemoryTable(10, 2, true, new SplittableRandom(5));
        int lkey = region(BINDABLE).key();
        RegisteredWindow window = window(MemoryWindowType.TYPE_2);
        int key = RemoteKey.increment(window.key());
        assertThat(table.bind(user, window.key(), key, lkey, START, 16, READ)).isTrue();
        assertThat(grants(successor, key, READ, START, 16)).isTrue();
        assertThat(grants(sibling, key, READ, START, 16)).isFalse();
        assertThat(grants(stranger, key, READ, START, 16)).isFalse();
        assertThat(table.invalidate(stranger, key, false)).isFalse();
        assertThat(table.invalidate(sibling, key, false)).isTrue();
    }

    @Test
    void aBindNeedsFittingKeysDomainsRightsAndBounds() {
        RegisteredWindow window = window(MemoryWindowType.TYPE_2);
        int key = window.key();
        int next = RemoteKey.increment(key);
        int lkey = region.key();
        assertThat(table.bind(stranger, key, next, lkey, START, 16, READ)).isFalse();
        assertThat(table.bind(user, key, next + 256, lkey, START, 16, READ)).isFalse();
        assertThat(table.bind(user, key, next, lkey ^ 1, START, 16, READ)).isFalse();
        assertThat(table.bind(user, key, next, lkey, START - 1, 16, READ)).isFalse();
        assertThat(table.bind(user, key, next, lkey, START, SIZE + 1, READ)).isFalse();
        assertThat(table.bind(user, key, next, lkey, START, Long.MAX_VALUE, READ))
                .isFalse();
        assertThat(table.bind(user, key, next, lkey, START, 16, AccessFlag.LOCAL_WRITE.mask()))
                .isFalse();
        int notBindable = region(AccessFlag.LOCAL_WRITE.mask() | WRITE).key();
        assertThat(table.bind(user, key, next, notBindable, START, 16, READ)).isFalse();
        int readOnly = region(AccessFlag.MW_BIND.mask()).key();
        assertThat(table.bind(user, key, next, readOnly, START, 16, WRITE)).isFalse();
        assertThat(table.bind(user, key, next, readOnly, START, 16, ATOMIC)).isFalse();
        int zeroBased = region(BINDABLE | ZERO_BASED).key();
        assertThat(table.bind(user, key, next, zeroBased, START, 16, READ)).isFalse();
        assertThat(window.key()).isEqualTo(key);
        assertThat(table.bind(user, key, next, readOnly, START, 16, READ)).isTrue();
    }

    @Test
    void aRegionWithWindowsNeitherEndsNorChanges() {
        RegisteredWindow window = window(MemoryWindowType.TYPE_2);
        assertThat(bind(window, START, 16, READ)).isTrue();
        assertThat(table.deregister(region)).isFalse();
        assertThat(region.change(domain, bytes(), 0, 0)).isFalse();
        assertThat(grants(user, window.key(), READ, START, 16)).isTrue();
        table.deallocate(window);
        assertThat(grants(user, window.key(), READ, START, 16)).isFalse();
        assertThat(bind(window, START, 16, READ)).isFalse();
        assertThat(table.deregister(region)).isTrue();
    }

    @Test
    void hasRoomForTheStatedNumberOfWindows() {
        RegisteredWindow first = window(MemoryWindowType.TYPE_1);
        assertThat(first.key() >>> 8).isEqualTo(524_289);
        window(MemoryWindowType.TYPE_2);
        assertThat(table.allocateWindow(domain, MemoryWindowType.TYPE_1)).isNull();
        table.deallocate(first);
        assertThat(window(MemoryWindowType.TYPE_1).key() >>> 8).isEqualTo(524_291);
    }

    @Test
    void fastRegistrationGoesBetweenFreeAndValid() {
        FastMemory fast = Objects.requireNonNull(table.allocateFast(domain));
        int key = fast.key();
        int next = RemoteKey.increment(key);
        assertThat(table.fastRegister(user, key, next, READ))
                .as("nothing mapped")
                .isFalse();
        assertThat(fast.stage(bytes(), START)).isNull();
        assertThat(grants(user, key, 0, START, 1)).isFalse();
        assertThat(table.fastRegister(stranger, key, next, READ)).isFalse();
        assertThat(table.fastRegister(user, key, next + 256, READ)).isFalse();
        assertThat(table.fastRegister(user, key, next, WRITE))
                .as("no LOCAL_WRITE")
                .isFalse();
        assertThat(table.fastRegister(user, region.key(), region.key() ^ 1, READ))
                .isFalse();
        assertThat(table.fastRegister(user, key, next, READ)).isTrue();
        assertThat(table.fastRegister(user, key, key, READ)).as("VALID").isFalse();
        assertThat(grants(user, next, READ, START, SIZE)).isTrue();
        assertThat(grants(user, key, READ, START, SIZE)).isFalse();

        assertThat(table.invalidate(stranger, next, true)).isFalse();
        assertThat(table.invalidate(user, key, true)).as("stale key").isFalse();
        assertThat(table.invalidate(user, next, true)).isTrue();
        assertThat(grants(user, next, READ, START, SIZE)).isFalse();
        assertThat(table.invalidate(user, next, true)).isFalse();
        assertThat(table.invalidate(user, next, false))
                .as("the owner may, and nothing happens")
                .isTrue();
        assertThat(table.fastRegister(user, next, RemoteKey.increment(next), READ))
                .isTrue();
    }

    @Test
    void aPeerEndsOnlyWhatItWasGivenARightTo() {
        FastMemory fast = Objects.requireNonNull(table.allocateFast(domain));
        fast.stage(bytes(), START);
        assertThat(table.fastRegister(user, fast.key(), fast.key(), AccessFlag.LOCAL_WRITE.mask()))
                .isTrue();
        assertThat(table.invalidate(user, fast.key(), true)).isFalse();
        assertThat(table.invalidate(user, fast.key(), false)).isTrue();
    }

    @Test
    void memoryStagedMeanwhileCountsFromTheNextRegistration() {
        FastMemory fast = Objects.requireNonNull(table.allocateFast(domain));
        MemoryPieces first = bytes();
        fast.stage(first, START);
        assertThat(table.fastRegister(user, fast.key(), fast.key(), READ)).isTrue();
        assertThat(fast.stage(bytes(), 0x8000)).isSameAs(first);
        assertThat(grants(user, fast.key(), READ, START, SIZE)).isTrue();
        assertThat(table.invalidate(user, fast.key(), false)).isTrue();
        assertThat(table.fastRegister(user, fast.key(), fast.key(), READ)).isTrue();
        assertThat(grants(user, fast.key(), READ, START, SIZE)).isFalse();
        assertThat(grants(user, fast.key(), READ, 0x8000, SIZE)).isTrue();
    }

    @Test
    void aWindowKeepsAFastRegistrationFromBeingInvalidated() {
        FastMemory fast = Objects.requireNonNull(table.allocateFast(domain));
        fast.stage(bytes(), START);
        assertThat(table.fastRegister(user, fast.key(), fast.key(), BINDABLE | READ))
                .isTrue();
        RegisteredWindow window = window(MemoryWindowType.TYPE_2);
        assertThat(table.bind(user, window.key(), window.key(), fast.key(), START, 16, WRITE))
                .isTrue();
        assertThat(table.invalidate(user, fast.key(), false)).isFalse();
        assertThat(table.invalidate(user, window.key(), false)).isTrue();
        assertThat(table.invalidate(user, fast.key(), false)).isTrue();
    }

    @Test
    void noRequestInvalidatesARegistrationMadeByACall() {
        assertThat(table.invalidate(user, region.key(), false)).isFalse();
        FmrMemory fmr = Objects.requireNonNull(table.allocateFmr(domain, READ));
        assertThat(fmr.map(bytes(), START, 1)).isTrue();
        assertThat(table.invalidate(user, fmr.key(), true)).isFalse();
        assertThat(grants(user, fmr.key(), READ, START, SIZE)).isTrue();
    }

    @Test
    void anFmrHasANewKeyWithEachMapping() {
        FmrMemory fmr = Objects.requireNonNull(table.allocateFmr(domain, READ));
        assertThat(fmr.map(bytes(), START, 2)).isTrue();
        int first = fmr.key();
        assertThat(fmr.map(bytes(), START, 2)).isTrue();
        int second = fmr.key();
        assertThat(second).isEqualTo(RemoteKey.increment(first));
        assertThat(grants(user, first, READ, START, SIZE)).isFalse();
        assertThat(grants(user, second, READ, START, SIZE)).isTrue();
        assertThat(fmr.map(bytes(), START, 2)).isFalse();
        assertThat(grants(user, second, READ, START, SIZE)).isTrue();
        fmr.unmap();
        assertThat(grants(user, second, READ, START, SIZE)).isFalse();
        assertThat(fmr.map(bytes(), START, 2)).isTrue();
    }
}
