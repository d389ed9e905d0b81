// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RdmaDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Executing the plan of RDMA writes moves the same bytes as a bytewise copy. */
class WriteListTest {

    private static final int RKEY = 0x1234;
    private static final long REMOTE_BASE = 0xffff_8880_0000_0000L;

    private final WriteList list = new WriteList();

    private static RdmaDescriptor remote(List<Integer> lengths) {
        LndMessage message =
                new LndMessage().wrap(MemorySegment.ofArray(new byte[4096]), 0).begin(MessageType.PUT_ACK);
        RdmaDescriptor descriptor = message.describe(RKEY, lengths.size());
        long at = 0;
        for (int i = 0; i < lengths.size(); i++) {
            // A gap of one between fragments, so that a write across two of them shows.
            descriptor.fragment(i, lengths.get(i), REMOTE_BASE + at);
            at += lengths.get(i) + 1;
        }
        return descriptor;
    }

    private static FragmentList local(List<Integer> lengths) {
        FragmentList fragments = new FragmentList();
        long at = 3;
        for (int length : lengths) {
            assertThat(fragments.add(at, length)).isTrue();
            at += length + 2;
        }
        return fragments;
    }

    /** The target of each byte: pairs of local offset and remote address. */
    private static List<List<Long>> model(List<Integer> local, List<Integer> remote, int bytes) {
        List<Long> sources = new ArrayList<>();
        long at = 3;
        for (int length : local) {
            for (int i = 0; i < length; i++) {
                sources.add(at + i);
            }
            at += length + 2;
        }
        List<Long> sinks = new ArrayList<>();
        at = 0;
        for (int length : remote) {
            for (int i = 0; i < length; i++) {
                sinks.add(REMOTE_BASE + at + i);
            }
            at += length + 1;
        }
        List<List<Long>> moves = new ArrayList<>();
        for (int i = 0; i < bytes; i++) {
            moves.add(List.of(sources.get(i), sinks.get(i)));
        }
        return moves;
    }

    private List<List<Long>> execute() {
        List<List<Long>> moves = new ArrayList<>();
        for (int write = 0; write < list.writes(); write++) {
            long address = list.remoteAddress(write);
            for (int piece = list.firstPiece(write); piece < list.firstPiece(write + 1); piece++) {
                for (long i = 0; i < list.pieceLength(piece); i++) {
                    moves.add(List.of(list.pieceOffset(piece) + i, address++));
                }
            }
        }
        return moves;
    }

    @Property(tries = 2000)
    void everyByteGoesWhereACopyWouldPutIt(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 9) Integer> local,
            @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 0, max = 9) Integer> remote,
            @ForAll @IntRange(min = 0, max = 80) int bytes,
            @ForAll @IntRange(min = 1, max = 4) int perWrite) {
        int localTotal = local.stream().mapToInt(i -> i).sum();
        int remoteTotal = remote.stream().mapToInt(i -> i).sum();
        int status = list.plan(local(local), remote(remote), bytes, perWrite, 257);
        if (bytes > Math.min(localTotal, remoteTotal)) {
            assertThat(status).isEqualTo(-71);
            assertThat(list.writes()).isZero();
            return;
        }
        assertThat(status).isZero();
        assertThat(execute()).isEqualTo(model(local, remote, bytes));
        for (int write = 0; write < list.writes(); write++) {
            assertThat(list.firstPiece(write + 1) - list.firstPiece(write)).isBetween(1, perWrite);
        }
        assertThat(list.rkey()).isEqualTo(RKEY);
        int writes = list.writes();
        if (writes > 1) {
            assertThat(list.plan(local(local), remote(remote), bytes, perWrite, writes - 1))
                    .isEqualTo(-90);
            assertThat(list.writes()).isZero();
        }
    }

    @Test
    void aReplyShorterThanTheSinkIsWrittenToo() {
        assertThat(list.plan(local(List.of(6000)), remote(List.of(8192)), 6000, 2, 257))
                .isZero();
        assertThat(list.writes()).isEqualTo(1);
        assertThat(list.pieceLength(0)).isEqualTo(6000);
    }

    @Test
    void anUnalignedMebibyteNeedsAsManyWritesAsTheSinkHasPages() {
        FragmentList source = new FragmentList();
        assertThat(source.addPages(0, 100, 1 << 20)).isTrue();
        assertThat(source.count()).isEqualTo(257);
        List<Integer> pages = Collections.nCopies(256, 4096);
        assertThat(list.plan(source, remote(pages), 1 << 20, 2, 257)).isZero();
        assertThat(list.writes()).isEqualTo(256);
        assertThat(list.plan(source, remote(pages), 1 << 20, 1, 257)).isEqualTo(-90);
    }

    @Property
    void pagesCoverTheRangeAndCanBeJoinedAgain(
            @ForAll @IntRange(min = 0, max = 10000) int offset, @ForAll @IntRange(min = 1, max = 1 << 20) int length) {
        FragmentList fragments = new FragmentList();
        assertThat(fragments.addPages(0, offset, length)).isTrue();
        long at = offset;
        for (int i = 0; i < fragments.count(); i++) {
            assertThat(fragments.offset(i)).isEqualTo(at);
            assertThat(fragments.offset(i) / 4096).isEqualTo((fragments.offset(i) + fragments.length(i) - 1) / 4096);
            at += fragments.length(i);
        }
        assertThat(at).isEqualTo(offset + length);
        assertThat(fragments.total()).isEqualTo(length);
        assertThat(fragments.limitTo(1)).isTrue();
        assertThat(fragments.count()).isEqualTo(1);
        assertThat(fragments.offset(0)).isEqualTo(offset);
        assertThat(fragments.length(0)).isEqualTo(length);
    }

    @Test
    void fragmentsWithGapsCannotBeJoined() {
        FragmentList fragments = local(List.of(5, 6, 7));
        assertThat(fragments.limitTo(3)).isTrue();
        assertThat(fragments.limitTo(2)).isFalse();
        assertThat(fragments.count()).isEqualTo(3);
    }

    @Test
    void aListTakesNoMoreFragmentsThanTheProtocol() {
        FragmentList fragments = new FragmentList();
        assertThat(fragments.addPages(0, 1, 257L * 4096)).isFalse();
        fragments.clear();
        assertThat(fragments.addPages(0, 0, 257L * 4096)).isTrue();
    }
}
