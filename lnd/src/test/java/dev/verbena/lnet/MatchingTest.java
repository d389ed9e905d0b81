// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Matching against a model that knows nothing of lists, states or descriptors: one row of numbers an entry. */
class MatchingTest {

    private static final int LENGTH = 20;
    private static final List<ProcessId> SOURCES = List.of(
            ProcessId.ANY,
            ProcessId.parse("*-10.0.0.1@o2ib"),
            ProcessId.parse("10.0.0.1@o2ib"),
            new ProcessId(Nid.ANY, 12345),
            ProcessId.parse("10.0.0.2@o2ib"));

    /** One row of the model. */
    static final class Row {
        final int source;
        final long bits;
        final long ignore;
        final boolean before;
        final boolean put;
        final boolean get;
        final boolean remote;
        final boolean truncate;
        final int maxSize;
        final boolean retainEntry;
        int threshold;
        int local;

        Row(int source, long bits, long ignore, int flags, int maxSize, int threshold) {
            this.source = source;
            this.bits = bits;
            this.ignore = ignore;
            before = (flags & 1) != 0;
            put = (flags & 2) != 0;
            get = (flags & 4) != 0;
            remote = (flags & 8) != 0;
            truncate = (flags & 16) != 0;
            retainEntry = (flags & 32) != 0;
            this.maxSize = maxSize;
            this.threshold = threshold;
        }

        boolean usedUp() {
            return threshold == 0 || (maxSize >= 0 && local + maxSize > LENGTH);
        }

        @Override
        public String toString() {
            return "source %s bits %x ignore %x before %s put %s get %s remote %s truncate %s max %d threshold %d"
                    .formatted(
                            SOURCES.get(source), bits, ignore, before, put, get, remote, truncate, maxSize, threshold);
        }
    }

    record Operation(boolean put, int from, long bits, int offset, int length) {}

    @Provide
    Arbitrary<Row> rows() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, SOURCES.size() - 1),
                        Arbitraries.longs().between(0, 3),
                        Arbitraries.longs().between(0, 3),
                        Arbitraries.integers().between(0, 63),
                        Arbitraries.integers().between(-1, LENGTH + 2),
                        Arbitraries.of(MemoryDescriptor.INFINITE, 1, 2, 3))
                .as(Row::new);
    }

    @Provide
    Arbitrary<Operation> operations() {
        return Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.of(2, 4),
                        Arbitraries.longs().between(0, 3),
                        Arbitraries.integers().between(0, LENGTH + 4),
                        Arbitraries.integers().between(0, LENGTH + 4))
                .as(Operation::new);
    }

    private final List<LnetEvent> events = new ArrayList<>();
    private final Discarder driver = new Discarder();

    /** A driver that accepts and forgets. */
    private static final class Discarder implements Lnd {
        private @Nullable LndHost host;

        @Override
        public int send(LnetMessage message) {
            Objects.requireNonNull(host).complete(message, 0);
            return 0;
        }

        @Override
        public int receive(ReceiveHandle handle, @Nullable LnetMessage message, long wanted, long offered) {
            assertThat(wanted).isLessThanOrEqualTo(offered);
            if (message != null) {
                Objects.requireNonNull(host).complete(message, 0);
            }
            return 0;
        }
    }

    private LnetCore node() {
        LnetCore core = new LnetCore(Nid.parse("10.0.0.9@o2ib"), new Random(77), events::add);
        core.driver(driver);
        driver.host = core;
        return core;
    }

    private MemoryDescriptor attach(LnetCore core, Row row) {
        MemoryDescriptor.Builder md = MemoryDescriptor.over(MemorySegment.ofArray(new byte[LENGTH]))
                .threshold(row.threshold)
                .context(row);
        if (row.put) {
            md.options(MdOption.OP_PUT);
        }
        if (row.get) {
            md.options(MdOption.OP_GET);
        }
        if (row.remote) {
            md.options(MdOption.MANAGE_REMOTE);
        }
        if (row.truncate) {
            md.options(MdOption.TRUNCATE);
        }
        if (row.maxSize >= 0) {
            md.maxSize(row.maxSize);
        }
        MemoryDescriptor made = md.build();
        core.attach(
                MatchEntry.on(7)
                        .source(SOURCES.get(row.source))
                        .matchBits(row.bits)
                        .ignoreBits(row.ignore)
                        .position(row.before ? MatchEntry.Position.BEFORE : MatchEntry.Position.AFTER)
                        .unlinkPolicy(row.retainEntry ? UnlinkPolicy.RETAIN : UnlinkPolicy.UNLINK)
                        .build(),
                made);
        return made;
    }

    /** Returns the expected result: the row that takes the operation, with offset and length, or null for a drop. */
    private static long @Nullable [] expect(List<Row> order, Operation op) {
        for (Row row : order) {
            boolean meant = !row.usedUp()
                    && (op.put ? row.put : row.get)
                    && ((row.bits ^ op.bits) & ~row.ignore) == 0
                    && SOURCES.get(row.source).covers(SOURCES.get(op.from));
            if (!meant) {
                continue;
            }
            int start = row.remote ? op.offset : row.local;
            if (start > LENGTH) {
                return null;
            }
            int room = row.maxSize >= 0 ? Math.min(row.maxSize, LENGTH - start) : LENGTH - start;
            if (op.length > room && !row.truncate) {
                return null;
            }
            int taken = Math.min(op.length, room);
            row.local = start + taken;
            if (row.threshold > 0) {
                row.threshold--;
            }
            return new long[] {order.indexOf(row), start, taken};
        }
        return null;
    }

    private static List<Row> order(List<Row> rows) {
        List<Row> ignoring = new ArrayList<>();
        List<Row> exact = new ArrayList<>();
        for (Row row : rows) {
            List<Row> list = row.ignore != 0 ? ignoring : exact;
            list.add(row.before ? 0 : list.size(), row);
        }
        ignoring.addAll(exact);
        return ignoring;
    }

    @Property(tries = 2000)
    void operationsMatchTheModel(
            @ForAll @Size(min = 1, max = 6) List<@From("rows") Row> rows,
            @ForAll @Size(max = 12) List<@From("operations") Operation> operations) {
        events.clear();
        LnetCore core = node();
        boolean unique = isUnique(rows.getFirst());
        List<Row> usable = rows.stream().filter(row -> isUnique(row) == unique).toList();
        for (Row row : usable) {
            attach(core, row);
        }
        List<Row> order = order(usable);
        for (Operation op : operations) {
            ProcessId from = SOURCES.get(op.from);
            LnetHeader header = op.put
                    ? LnetHeaders.put(from, core.self(), op.length, WireHandle.NONE, 7, op.bits, op.offset, 99)
                    : LnetHeaders.get(from, core.self(), new WireHandle(1, 2), 7, op.bits, op.offset, op.length);
            events.clear();
            long[] expected = expect(order, op);
            assertThat(core.parse(header, from.nid(), new ReceiveHandle() {}, true))
                    .isZero();
            if (expected == null) {
                assertThat(events).as("%s", op).isEmpty();
            } else {
                assertThat(events).as("%s", op).hasSize(1);
                LnetEvent event = events.getFirst();
                Row row = order.get((int) expected[0]);
                assertThat(event.memoryDescriptor().context()).isSameAs(row);
                assertThat(event.offset()).isEqualTo(expected[1]);
                assertThat(event.length()).isEqualTo(expected[2]);
                assertThat(event.requestedLength()).isEqualTo(op.length);
                assertThat(event.type()).isEqualTo(op.put ? LnetEventType.PUT : LnetEventType.GET);
                assertThat(event.initiator()).isEqualTo(from);
                assertThat(event.matchBits()).isEqualTo(op.bits);
                assertThat(event.hdrData()).isEqualTo(op.put ? 99 : 0);
                assertThat(event.unlinked()).isEqualTo(row.usedUp());
            }
        }
        LnetStatistics statistics = core.statistics();
        long taken = statistics.received(LnetMessageType.PUT) + statistics.received(LnetMessageType.GET);
        long dropped = statistics.dropped(DropReason.NO_MATCH) + statistics.dropped(DropReason.NO_ROOM);
        assertThat(taken + dropped).isEqualTo(operations.size());
    }

    private static boolean isUnique(Row row) {
        return row.ignore == 0 && (row.source == 2 || row.source == 4);
    }

    @Test
    void aRetainedEntryKeepsItsPlaceForTheNextDescriptor() {
        LnetCore core = node();
        MatchEntry first = MatchEntry.on(3).unlinkPolicy(UnlinkPolicy.RETAIN).build();
        core.attach(first, md("first", 1));
        core.attach(MatchEntry.on(3).build(), md("second", MemoryDescriptor.INFINITE));
        assertThat(putTo(core)).isEqualTo("first");
        assertThat(putTo(core)).isEqualTo("second");
        core.attach(first, md("third", 1));
        assertThat(putTo(core)).isEqualTo("third");
        core.unlink(first);
        assertThat(putTo(core)).isEqualTo("second");
    }

    /** Entries are linked, so an entry in two portals would remove other entries from both. */
    @Test
    void anEntryIsOfOneNodeUntilThatUnlinksIt() {
        LnetCore core = node();
        MatchEntry entry = MatchEntry.on(3).unlinkPolicy(UnlinkPolicy.RETAIN).build();
        core.attach(MatchEntry.on(3).matchBits(1).build(), md("other bits", 1));
        core.attach(entry, md("first", 1));
        assertThat(putTo(core)).isEqualTo("first");
        LnetCore other = new LnetCore(Nid.parse("10.0.0.8@o2ib"), new Random(78), events::add);
        assertThatIllegalStateException()
                .isThrownBy(() -> other.attach(entry, md("elsewhere", 1)))
                .withMessageContaining("another node");
        other.unlink(entry);
        core.attach(MatchEntry.on(3).build(), md("second", 1));
        core.attach(entry, md("third", 1));
        assertThat(putTo(core)).isEqualTo("third");
        assertThat(putTo(core)).isEqualTo("second");
        core.unlink(entry);
        other.attach(entry, md("fourth", 1));
        assertThat(other.descriptorCount()).isEqualTo(1);
    }

    private static MemoryDescriptor md(String name, int threshold) {
        return MemoryDescriptor.over(MemorySegment.ofArray(new byte[1]))
                .options(MdOption.OP_PUT)
                .threshold(threshold)
                .context(name)
                .build();
    }

    private @Nullable Object putTo(LnetCore core) {
        events.clear();
        ProcessId from = SOURCES.get(2);
        core.parse(
                LnetHeaders.put(from, core.self(), 0, WireHandle.NONE, 3, 0, 0, 0),
                from.nid(),
                new ReceiveHandle() {},
                false);
        return events.getFirst().memoryDescriptor().context();
    }

    @Test
    void theFirstEntryDecidesTheKindOfAPortal() {
        LnetCore core = node();
        core.attach(MatchEntry.on(3).source(SOURCES.get(2)).build(), md("unique", 1));
        assertThatIllegalStateException()
                .isThrownBy(() -> core.attach(MatchEntry.on(3).build(), md("wildcard", 1)))
                .withMessageContaining("first entry of a portal decides");
        core.attach(MatchEntry.on(4).build(), md("wildcard", 1));
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        core.attach(MatchEntry.on(4).source(SOURCES.get(2)).build(), md("unique", 1)));
    }

    @Test
    void anEntryTakesOneDescriptorAtATimeAndADescriptorOneUse() {
        LnetCore core = node();
        MatchEntry entry = MatchEntry.on(3).build();
        MemoryDescriptor md = md("one", 1);
        core.attach(entry, md);
        assertThatIllegalStateException().isThrownBy(() -> core.attach(entry, md("two", 1)));
        assertThatIllegalStateException()
                .isThrownBy(() -> core.attach(MatchEntry.on(3).build(), md));
    }
}
