// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.RegistrationKind;
import dev.verbena.lnd.engine.FragmentList;
import dev.verbena.lnd.memory.PageModel.Range;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every way of registering describes a list as it would page by page, and also when its objects were used before. */
class RegistrationStrategyTest {

    private static final long PAGE = PageModel.PAGE;
    private static final long BYTES = 4L << 20;
    private static final int LISTS = 1500;

    private SimProvider provider;
    private Device device;
    private ProtectionDomain domain;
    private NodeMemory memory;

    @BeforeEach
    void open() throws VerbsException {
        VirtualRuntime runtime = new VirtualRuntime(1);
        provider =
                new SimProvider(runtime, new InProcessFabric(runtime), List.of(SimDeviceSpec.of("sim0", "10.0.0.1")));
        device = provider.open("sim0");
        domain = device.allocatePd();
        memory = new NodeMemory(
                device, domain, BYTES, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND), new Random(1));
    }

    @AfterEach
    void close() throws VerbsException {
        memory.close();
        domain.close();
        device.close();
        provider.close();
    }

    /** A list by both descriptions. */
    private record Transfer(PieceList pieces, PageModel model) {
        static Transfer of(List<Range> slices) {
            Transfer transfer = new Transfer(new PieceList(), new PageModel());
            for (Range slice : slices) {
                assertThat(transfer.pieces.add(slice.start(), slice.length())).isEqualTo(transfer.model.add(slice));
            }
            return transfer;
        }
    }

    /** The ranges of the descriptor, up to a multiple of the page size; null if the kind cannot register the list. */
    private static @Nullable List<Range> expected(RegistrationKind kind, boolean gaps, int threshold, PageModel model) {
        List<Range> pages = model.pages();
        Range whole = new Range(pages.getFirst().start(), pages.getFirst().start() + model.total());
        return switch (pages.size() < threshold ? RegistrationKind.GLOBAL_REGION : kind) {
            case GLOBAL_REGION -> pages;
            case FMR -> model.hasGaps() ? eachInItsPage(pages) : List.of(moved(whole, -page(whole)));
            case FAST_REGISTRATION -> model.hasGaps() && !gaps ? null : List.of(moved(whole, -page(whole)));
            case MEMORY_WINDOW -> model.isContiguous() ? List.of(whole) : null;
            case REGION, REGION_CACHE -> model.isContiguous() ? List.of(moved(whole, -page(whole))) : null;
        };
    }

    private static long page(Range range) {
        return range.start() / PAGE * PAGE;
    }

    private static Range moved(Range range, long by) {
        return new Range(range.start() + by, range.end() + by);
    }

    private static List<Range> eachInItsPage(List<Range> pages) {
        List<Range> placed = new ArrayList<>();
        for (int i = 0; i < pages.size(); i++) {
            placed.add(moved(pages.get(i), i * PAGE - page(pages.get(i))));
        }
        return placed;
    }

    private static List<Range> ranges(FragmentList fragments, long base) {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < fragments.count(); i++) {
            ranges.add(new Range(fragments.offset(i) - base, fragments.offset(i) + fragments.length(i) - base));
        }
        return ranges;
    }

    private RegistrationStrategy strategy(RegistrationKind kind, boolean gaps, int mapOnDemand) throws VerbsException {
        PoolParameters parameters = new PoolParameters(8, 4, true, gaps, true);
        GlobalRegionStrategy global = new GlobalRegionStrategy(memory);
        RegistrationStrategy chosen = switch (kind) {
            case FMR -> new FmrStrategy(device, domain, memory, parameters, () -> 0);
            case FAST_REGISTRATION -> new FastRegistrationStrategy(device, domain, memory, parameters, () -> 0);
            case MEMORY_WINDOW -> new WindowStrategy(domain, memory, parameters, () -> 0);
            case REGION -> new RegionStrategy(memory);
            case REGION_CACHE -> new RegionCacheStrategy(memory, parameters);
            case GLOBAL_REGION -> global;
        };
        return mapOnDemand > 1 ? new OnDemandStrategy(global, chosen, mapOnDemand) : chosen;
    }

    @ParameterizedTest
    @CsvSource({
        "FMR, false, 1",
        "FMR, false, 6",
        "FAST_REGISTRATION, false, 1",
        "FAST_REGISTRATION, true, 1",
        "MEMORY_WINDOW, false, 1",
        "MEMORY_WINDOW, false, 200",
        "REGION, false, 1",
        "REGION_CACHE, false, 1",
        "GLOBAL_REGION, false, 1"
    })
    void fragmentsAreThoseOfAListOfPages(RegistrationKind kind, boolean gaps, int mapOnDemand) throws VerbsException {
        RegistrationStrategy strategy = strategy(kind, gaps, mapOnDemand);
        List<Registration> held = new ArrayList<>();
        int taken = 0;
        Random random = new Random(kind.ordinal());
        for (int i = 0; i < LISTS; i++) {
            int most = random.nextInt(10) == 0 ? 300 : 6;
            Transfer transfer = Transfer.of(PageModel.slices(random, BYTES, most));
            @Nullable List<Range> wanted = expected(kind, gaps, mapOnDemand, transfer.model);
            @Nullable Registration registration = strategy.map(transfer.pieces);
            assertThat(registration == null).as("list %d", i).isEqualTo(wanted == null);
            if (registration != null && wanted != null) {
                long base = registration.wire().offset(0) - wanted.getFirst().start();
                assertThat(base % PAGE).as("list %d", i).isZero();
                assertThat(ranges(registration.wire(), base)).as("list %d", i).isEqualTo(wanted);
                held.add(registration);
                taken++;
            }
            if (held.size() > random.nextInt(5)) {
                held.remove(random.nextInt(held.size())).release(random.nextInt(20) == 0);
            }
        }
        for (Registration registration : held) {
            registration.release(false);
        }
        assertThat(strategy.inUse()).isZero();
        assertThat(taken).as("lists that could be taken").isGreaterThan(LISTS / 4);
        strategy.close();
    }

    @Test
    void neighboursAreOneRunOfMemory() {
        Random random = new Random(1);
        for (int i = 0; i < LISTS; i++) {
            Transfer transfer = Transfer.of(PageModel.slices(random, BYTES, 20));
            List<Range> runs = memory.runs(transfer.pieces).stream()
                    .map(run -> new Range(memory.offsetOf(run), memory.offsetOf(run) + run.byteSize()))
                    .toList();
            assertThat(runs).isEqualTo(transfer.model.runs());
        }
    }
}
