// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.Captures;
import dev.verbena.lnd.wire.LndMessage;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnd.wire.RdmaDescriptor;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.sim.capture.PacketTap;
import dev.verbena.sim.capture.PcapngTap;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Captures the same transfers for every way of registration. The captured descriptors have the shape of the way, and
 * the captured RDMA writes carry the same bytes to the described memory.
 */
class DescriptorCaptureTest {

    private static final int PAGE = 4096;
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private @Nullable Path folder;

    /** The ways, and whether each accepts a list with a hole. */
    private enum Way {
        FMR(RegistrationKind.FMR, false),
        FAST(RegistrationKind.FAST_REGISTRATION, false),
        FAST_WITH_GAPS(RegistrationKind.FAST_REGISTRATION, true),
        WINDOW(RegistrationKind.MEMORY_WINDOW, false),
        REGION(RegistrationKind.REGION, false),
        CACHE(RegistrationKind.REGION_CACHE, false),
        GLOBAL(RegistrationKind.GLOBAL_REGION, false);

        private final RegistrationKind kind;
        private final boolean gaps;

        Way(RegistrationKind kind, boolean gaps) {
            this.kind = kind;
            this.gaps = gaps;
        }

        RegistrationTunables tunables() {
            return RegistrationTunables.defaults().withKind(kind).withFastregGaps(gaps);
        }
    }

    /** The layout of a transfer's target memory; a hole is where one piece ends, or the next starts, within a page. */
    private enum Layout {
        RUN(true, false),
        PAGES(true, false),
        MEBIBYTE_OFF_PAGE(true, false),
        SCATTERED_PAGES(false, false),
        HOLE(false, true),
        CRUMBS(false, true),
        ELSEWHERE(true, false);

        private final boolean adjacent;
        private final boolean hole;

        Layout(boolean adjacent, boolean hole) {
            this.adjacent = adjacent;
            this.hole = hole;
        }

        PayloadVector allocate(Lab lab, LnetNode node) throws VerbsException {
            return switch (this) {
                case RUN -> PayloadVector.of(node.allocate(4 * PAGE).asSlice(100, 12_000));
                case PAGES -> PayloadVector.of(node.allocate(16 * PAGE));
                case MEBIBYTE_OFF_PAGE ->
                    PayloadVector.of(node.allocate(257 * PAGE).asSlice(77, 1 << 20));
                case SCATTERED_PAGES -> slices(node.allocate(9 * PAGE), 300, PAGE - 300, 2 * PAGE, PAGE, 5 * PAGE, 70);
                case HOLE -> slices(node.allocate(8 * PAGE), 10, 5000, 3 * PAGE + 7, 4000, 5 * PAGE, PAGE);
                case CRUMBS ->
                    slices(node.allocate(9 * PAGE), 1, 2000, 3 * PAGE - 5, 5, 4 * PAGE + 900, 2500, 8 * PAGE, 1);
                case ELSEWHERE -> PayloadVector.of(lab.memory(9000, 0));
            };
        }

        private static PayloadVector slices(MemorySegment whole, int... offsetsAndLengths) {
            List<MemorySegment> slices = new ArrayList<>();
            for (int i = 0; i < offsetsAndLengths.length; i += 2) {
                slices.add(whole.asSlice(offsetsAndLengths[i], offsetsAndLengths[i + 1]));
            }
            return PayloadVector.of(slices);
        }
    }

    /** A piece of memory within one page. */
    private record Piece(long address, long length) {}

    /** A completed transfer: its target, its bytes, and the layout of the memory. */
    private record Transfer(Layout layout, List<Piece> pieces, byte[] content) {}

    private static List<Piece> pieces(PayloadVector memory) {
        List<Piece> pieces = new ArrayList<>();
        memory.forEachPiece(0, memory.length(), (slice, offset, bytes) -> {
            long end = slice.address() + offset + bytes;
            for (long at = slice.address() + offset; at < end; at = at / PAGE * PAGE + PAGE) {
                pieces.add(new Piece(at, Math.min(end, at / PAGE * PAGE + PAGE) - at));
            }
        });
        return pieces;
    }

    private final List<LnetEvent> events = new ArrayList<>();

    private Transfer transfer(Lab lab, LnetNode a, LnetNode b, Layout layout, boolean put) throws VerbsException {
        PayloadVector to = layout.allocate(lab, put ? b : a);
        MemorySegment from = lab.memory(to.length(), layout.ordinal() + 1);
        events.clear();
        b.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(put ? to : PayloadVector.of(from))
                        .options(put ? MdOption.OP_PUT : MdOption.OP_GET)
                        .threshold(1)
                        .handler(events::add)
                        .build());
        MemoryDescriptor active = MemoryDescriptor.over(put ? PayloadVector.of(from) : to)
                .threshold(2)
                .handler(events::add)
                .build();
        if (put) {
            a.put(active, true, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        } else {
            a.get(active, b.id(), Lab.PORTAL, Lab.BITS, 0);
        }
        assertThat(lab.await(() -> events.size() == 3, LONG)).as("%s", layout).isTrue();
        assertThat(events).as("%s", layout).allMatch(LnetEvent::isSuccess);
        return new Transfer(layout, pieces(to), from.toArray(ValueLayout.JAVA_BYTE));
    }

    /**
     * Both nodes put to each other's memory, and fetch into their own. Returns the transfers, in the order of the file.
     */
    private List<Transfer> record(Way way, Path file) throws VerbsException, IOException {
        List<Transfer> transfers = new ArrayList<>();
        PacketTap[] tap = new PacketTap[1];
        try (Lab lab = new Lab(
                3,
                DeviceProfile.specification(),
                LeakDetection.TRACED,
                (time, link, packet) -> tap[0].onPacket(time, link, packet))) {
            try (PcapngTap capture = PcapngTap.open(file, lab.runtime())) {
                tap[0] = capture;
                LnetNode a = lab.registering(way.tunables()).start(1);
                LnetNode b = lab.start(2);
                for (Layout layout : Layout.values()) {
                    transfers.add(transfer(lab, a, b, layout, layout != Layout.MEBIBYTE_OFF_PAGE));
                    if (layout != Layout.MEBIBYTE_OFF_PAGE) {
                        transfers.add(transfer(lab, a, b, layout, false));
                        transfers.add(transfer(lab, b, a, layout, true));
                    }
                }
                lab.close(a);
                lab.close(b);
            }
            tap[0] = (time, link, packet) -> {};
        }
        return transfers;
    }

    /** One transfer of a capture. */
    private record Seen(int sink, RdmaDescriptor descriptor, List<Captures.Message> writes) {}

    private static List<Seen> read(Path file) throws IOException {
        List<Seen> transfers = new ArrayList<>();
        for (Captures.Message message : Captures.readAll(file)) {
            if (message.carrier() == Captures.Carrier.SEND) {
                LndMessage view = CaptureReplay.parse(message.bytes());
                if (view.type() == MessageType.PUT_ACK || view.type() == MessageType.GET_REQ) {
                    transfers.add(new Seen(message.from(), view.descriptor(), new ArrayList<>()));
                }
            } else if (message.carrier() == Captures.Carrier.WRITE) {
                transfers.getLast().writes().add(message);
            }
        }
        return transfers;
    }

    @ParameterizedTest
    @EnumSource
    void aCaptureShowsTheShapesOfTheWayAndTheSameBytes(Way way) throws VerbsException, IOException {
        Path file = Objects.requireNonNull(folder).resolve(way + ".pcapng");
        List<Transfer> transfers = record(way, file);
        List<Seen> seen = read(file);
        assertThat(seen).hasSameSizeAs(transfers);
        Set<Long> moved = new HashSet<>();
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < seen.size(); i++) {
            Transfer transfer = transfers.get(i);
            RdmaDescriptor descriptor = seen.get(i).descriptor();
            assertThat(descriptor.totalLength()).as("%s", transfer.layout()).isEqualTo(transfer.content().length);
            checkShape(way, transfer, descriptor, moved);
            checkWrites(transfer, seen.get(i));
            keys.add(seen.get(i).sink() << 24 ^ descriptor.key());
        }
        assertThat(moved).as("one region on either side, if any").hasSizeLessThanOrEqualTo(2);
        switch (way) {
            case FAST, FAST_WITH_GAPS, WINDOW, REGION ->
                assertThat(keys).as("a new key each time").hasSameSizeAs(seen);
            case GLOBAL -> assertThat(keys).as("the key of each node's memory").hasSize(2);
            case FMR, CACHE -> assertThat(keys).as("keys of registrations").hasSizeGreaterThan(2);
        }
    }

    /** Collects in {@code moved} how far from the memory itself addresses lie that are those of one region. */
    private static void checkShape(Way way, Transfer transfer, RdmaDescriptor descriptor, Set<Long> moved) {
        Layout layout = transfer.layout();
        List<Piece> pieces = transfer.pieces();
        Piece first = pieces.getFirst();
        boolean copied = layout == Layout.ELSEWHERE
                || switch (way) {
                    case FAST -> layout.hole;
                    case WINDOW, REGION, CACHE -> !layout.adjacent;
                    case FMR, FAST_WITH_GAPS, GLOBAL -> false;
                };
        boolean whole = way == Way.GLOBAL || (way == Way.FMR && layout.hole);
        int fragments = !whole ? 1 : copied ? (transfer.content().length + PAGE - 1) / PAGE : pieces.size();
        assertThat(descriptor.fragmentCount()).as("%s %s", way, layout).isEqualTo(fragments);
        long address = descriptor.fragmentAddress(0);
        if (copied) {
            assertThat(address % PAGE)
                    .as("%s %s is copied from a page", way, layout)
                    .isZero();
            return;
        }
        for (int i = 0; whole && i < fragments; i++) {
            assertThat(descriptor.fragmentLength(i)).isEqualTo(pieces.get(i).length());
        }
        switch (way) {
            case FMR -> {
                long base = address - first.address() % PAGE;
                for (int i = 0; i < fragments; i++) {
                    assertThat(descriptor.fragmentAddress(i))
                            .as("%s: the n-th piece is in the n-th page", layout)
                            .isEqualTo(base + pieces.get(i).address() % PAGE + (long) i * PAGE);
                }
            }
            case FAST, FAST_WITH_GAPS, REGION, CACHE ->
                assertThat(address % PAGE).as("%s", layout).isEqualTo(first.address() % PAGE);
            case WINDOW -> moved.add(address - first.address());
            case GLOBAL -> {
                for (int i = 0; i < fragments; i++) {
                    moved.add(descriptor.fragmentAddress(i) - pieces.get(i).address());
                }
            }
        }
    }

    /** The writes fill the fragments from first to last, no more and no less, with the content. */
    private static void checkWrites(Transfer transfer, Seen seen) {
        RdmaDescriptor descriptor = seen.descriptor();
        int fragment = 0;
        long within = 0;
        int at = 0;
        for (Captures.Message message : seen.writes()) {
            Captures.Write write = Objects.requireNonNull(message.write());
            assertThat(write.key()).as("%s", message).isEqualTo(descriptor.key());
            assertThat(write.address()).as("%s", message).isEqualTo(descriptor.fragmentAddress(fragment) + within);
            assertThat(message.bytes())
                    .as("%s", message)
                    .isEqualTo(Arrays.copyOfRange(transfer.content(), at, at + write.length()));
            at += write.length();
            within += write.length();
            assertThat(within).as("%s", message).isLessThanOrEqualTo(descriptor.fragmentLength(fragment));
            if (within == descriptor.fragmentLength(fragment)) {
                fragment++;
                within = 0;
            }
        }
        assertThat(at).as("%s", transfer.layout()).isEqualTo(transfer.content().length);
    }
}
