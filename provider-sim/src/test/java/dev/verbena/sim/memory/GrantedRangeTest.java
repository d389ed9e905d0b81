// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.AccessFlag;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GrantedRangeTest {
    private static final int WRITE = AccessFlag.LOCAL_WRITE.mask();

    private final Object domain = new Object();
    private final MemoryTable table = new MemoryTable(10, 3, false, new SplittableRandom(5));
    private final GrantedRange grant = new GrantedRange(table, new MemoryUser(domain, 17), QpRole.RESPONDER);
    private final GrantedRange other = new GrantedRange(table, new MemoryUser(domain, 18), QpRole.REQUESTER);

    private UserMemory register(MemoryPieces memory) {
        return Objects.requireNonNull(table.register(domain, memory, 0, WRITE));
    }

    private static byte[] numbered(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return bytes;
    }

    @Test
    void copiesWhatAnotherGrantsInOnePiece() {
        byte[] target = new byte[8];
        UserMemory from = register(MemoryPieces.of(MemorySegment.ofArray(numbered(8))));
        UserMemory to = register(MemoryPieces.of(MemorySegment.ofArray(target)));
        assertThat(other.tryOpenLocal(from.key(), 0, 2, 4)).isTrue();
        assertThat(grant.tryOpenLocal(to.key(), WRITE, 1, 4)).isTrue();
        assertThat(other.isOnePiece(4)).isTrue();
        grant.copyFrom(other, 4);
        assertThat(target).containsExactly(0, 3, 4, 5, 6, 0, 0, 0);
    }

    @Test
    void copiesOnePieceOfMemoryOfSeveral() {
        byte[] target = new byte[8];
        UserMemory from = register(
                MemoryPieces.of(List.of(MemorySegment.ofArray(numbered(4)), MemorySegment.ofArray(numbered(4)))));
        UserMemory to = register(MemoryPieces.of(MemorySegment.ofArray(target)));
        assertThat(grant.tryOpenLocal(to.key(), WRITE, 0, 4)).isTrue();
        assertThat(other.tryOpenLocal(from.key(), 0, 2, 4)).isTrue();
        assertThat(other.isOnePiece(4)).isFalse();
        assertThat(other.tryOpenLocal(from.key(), 0, 5, 3)).isTrue();
        assertThat(other.isOnePiece(3)).isTrue();
        grant.copyFrom(other, 3);
        assertThat(target).containsExactly(2, 3, 4, 0, 0, 0, 0, 0);
    }

    /** Deregistration waits until the reader count is zero. */
    @Test
    @Timeout(20)
    void isInsideOfNothingThatItAskedForBefore() {
        UserMemory first = register(MemoryPieces.of(MemorySegment.ofArray(new byte[8])));
        UserMemory second = register(MemoryPieces.of(MemorySegment.ofArray(new byte[8])));
        assertThat(grant.openLocal(first.key(), WRITE, 0, 8)).isTrue();
        assertThat(grant.openLocal(second.key(), WRITE, 0, 9)).isFalse();
        assertThat(grant.openLocal(second.key(), WRITE, 0, 8)).isTrue();
        assertThat(table.deregister(first)).isTrue();
        grant.close();
        grant.close();
        assertThat(table.deregister(second)).isTrue();
        assertThat(grant.openLocal(second.key(), WRITE, 0, 8)).isFalse();
    }

    /** A closed grant remembers its access point, but does not access the memory. */
    @Test
    void touchesNothingWhenItIsClosed() {
        UserMemory memory = register(MemoryPieces.of(MemorySegment.ofArray(numbered(8))));
        assertThat(grant.openLocal(memory.key(), 0, 0, 8)).isTrue();
        assertThat(grant.isOnePiece(8)).isTrue();
        grant.close();
        assertThatThrownBy(() -> grant.isOnePiece(8)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
