// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.memory.RightsModel.Keyed;
import dev.verbena.sim.memory.RightsModel.Place;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.RemoteKey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/**
 * Random programs of all operations on keys, with an access by a present or former key after each step. The grants and
 * the bytes are compared with {@link RightsModel}.
 */
class MemoryModelTest {
    private static final int STEPS = 150;
    private static final int SIZE = 64;
    private static final int MEMORIES = 3;
    private static final int[] RIGHTS = {
        0,
        RightsModel.LOCAL_WRITE,
        RightsModel.REMOTE_READ,
        RightsModel.LOCAL_WRITE | RightsModel.MW_BIND,
        RightsModel.REMOTE_READ | RightsModel.MW_BIND,
        RightsModel.LOCAL_WRITE | RightsModel.REMOTE_WRITE,
        RightsModel.LOCAL_WRITE | RightsModel.REMOTE_WRITE | RightsModel.REMOTE_READ | RightsModel.MW_BIND,
        RightsModel.LOCAL_WRITE | RightsModel.MW_BIND | RightsModel.ZERO_BASED,
    };
    private static final int[] WINDOW_RIGHTS = {
        RightsModel.REMOTE_READ,
        RightsModel.REMOTE_WRITE,
        RightsModel.REMOTE_WRITE | RightsModel.REMOTE_READ,
        RightsModel.REMOTE_WRITE | RightsModel.ZERO_BASED,
    };

    @Property(tries = 400)
    @StatisticsReport(onFailureOnly = true)
    void everyAccessMatchesTheModel(@ForAll long seed) {
        Run run = new Run(seed);
        for (int i = 0; i < STEPS; i++) {
            String done = run.step();
            Statistics.collect(done);
            Statistics.label("accesses").collect(run.access());
        }
        run.compareMemory();
        Statistics.coverage(coverage -> Stream.of(
                        "register",
                        "end",
                        "change",
                        "stage",
                        "map",
                        "unmap",
                        "window",
                        "bind",
                        "fastRegister",
                        "invalidate",
                        "invalidateByPeer")
                .forEach(name -> coverage.check(name + " true").count(count -> count > 0)));
        Statistics.coverage(coverage -> Stream.of(
                        "end", "change", "map", "bind", "fastRegister", "invalidate", "invalidateByPeer")
                .forEach(name -> coverage.check(name + " false").count(count -> count > 0)));
        Statistics.label("accesses")
                .coverage(coverage -> Stream.of(
                                "local true",
                                "local false",
                                "region true",
                                "region false",
                                "window true",
                                "window false")
                        .forEach(name -> coverage.check(name).count(count -> count > 0)));
    }

    /** One program, executed on both. */
    private static final class Run {
        private final SplittableRandom random;
        private final MemoryTable table;
        private final RightsModel model = new RightsModel(SIZE);
        private final List<Object> domains = List.of(new Object(), new Object());
        private final List<MemoryUser> users = List.of(
                new MemoryUser(domains.get(0), 17),
                new MemoryUser(domains.get(0), 18),
                new MemoryUser(domains.get(1), 19));
        private final List<GrantedRange> grants;
        private final List<MemorySegment> memories = new ArrayList<>();
        private final byte[][] expected = new byte[MEMORIES][SIZE];
        private final Map<RegisteredMemory, Keyed> regions = new LinkedHashMap<>();
        private final Map<RegisteredWindow, Keyed> windows = new LinkedHashMap<>();
        private final List<Integer> keys = new ArrayList<>();
        private byte stamp;

        /** The last successful bind: its queue pair and its range. Arbitrary accesses rarely hit a window. */
        private boolean bound;

        private int boundUser;
        private int boundKey;
        private long boundAddress;

        Run(long seed) {
            random = new SplittableRandom(seed);
            table = new MemoryTable(6, 4, false, random.split());
            grants = users.stream()
                    .map(user ->
                            new GrantedRange(table, user, random.nextBoolean() ? QpRole.REQUESTER : QpRole.RESPONDER))
                    .toList();
            for (int i = 0; i < MEMORIES; i++) {
                memories.add(MemorySegment.ofArray(new byte[SIZE]));
            }
        }

        private int domainOf(int user) {
            return user < 2 ? 0 : 1;
        }

        private <T> T any(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        private int anyKey() {
            // Often a recent one, which may still be valid.
            int from = random.nextBoolean() ? Math.max(0, keys.size() - 8) : 0;
            return keys.get(random.nextInt(from, keys.size()));
        }

        private MemoryPieces pieces(int memory) {
            int cut = random.nextInt(SIZE);
            MemorySegment all = memories.get(memory);
            return cut == 0 ? MemoryPieces.of(all) : MemoryPieces.of(List.of(all.asSlice(0, cut), all.asSlice(cut)));
        }

        private void note(int key) {
            if (!keys.contains(key)) {
                keys.add(key);
            }
        }

        String step() {
            int domain = random.nextInt(2);
            int user = random.nextInt(3);
            int memory = random.nextInt(MEMORIES);
            long start = random.nextInt(4) * 0x1000L;
            int rights = RIGHTS[random.nextInt(RIGHTS.length)];
            boolean full = regions.size() == 6;
            int choice = random.nextInt(100);
            if (regions.isEmpty() || (choice < 15 && !full)) {
                return register(domain, memory, start, rights);
            }
            RegisteredMemory region = any(new ArrayList<>(regions.keySet()));
            Keyed known = Objects.requireNonNull(regions.get(region));
            if (choice < 22) {
                return end(region, known);
            }
            if (choice < 45) {
                return switch (region) {
                    case UserMemory own -> change(own, known, domain, memory, start, rights);
                    case FastMemory own -> stage(own, known, memory, start);
                    case FmrMemory own -> map(own, known, memory, start);
                };
            }
            if (choice < 55 || windows.isEmpty()) {
                return window(domain);
            }
            if (choice < 75) {
                return bind(user, any(new ArrayList<>(windows.keySet())), region, known);
            }
            if (choice < 87) {
                int next = random.nextInt(8) == 0 ? anyKey() : (region.key() & ~0xFF) | random.nextInt(256);
                boolean done = table.fastRegister(users.get(user), region.key(), next, rights);
                assertThat(done).isEqualTo(model.fastRegister(domainOf(user), region.key(), next, rights));
                note(region.key());
                return "fastRegister " + done;
            }
            boolean byPeer = random.nextBoolean();
            int key = anyKey();
            boolean done = table.invalidate(users.get(user), key, byPeer);
            assertThat(done).isEqualTo(model.invalidate(user, domainOf(user), key, byPeer));
            return (byPeer ? "invalidateByPeer " : "invalidate ") + done;
        }

        private String register(int domain, int memory, long start, int rights) {
            Object of = domains.get(domain);
            int kind = random.nextInt(3);
            RegisteredMemory region = Objects.requireNonNull(
                    switch (kind) {
                        case 0 -> table.register(of, pieces(memory), start, rights);
                        case 1 -> table.allocateFast(of);
                        default -> table.allocateFmr(of, rights & ~RightsModel.MW_BIND);
                    });
            Keyed known = model.addRegion(region.key(), domain);
            switch (kind) {
                case 0 -> model.cover(known, region.key(), memory, start, rights);
                case 1 -> known.fast = true;
                default -> known.access = rights & ~RightsModel.MW_BIND;
            }
            regions.put(region, known);
            note(region.key());
            return "register true";
        }

        private String end(RegisteredMemory region, Keyed known) {
            boolean done = table.deregister(region);
            assertThat(done).isEqualTo(model.remove(known));
            if (done) {
                regions.remove(region);
            }
            return "end " + done;
        }

        private String change(UserMemory region, Keyed known, int domain, int memory, long start, int rights) {
            boolean done = region.change(domains.get(domain), pieces(memory), start, rights);
            assertThat(done).isEqualTo(!model.isBound(known));
            if (done) {
                known.domain = domain;
                model.cover(known, known.key, memory, start, rights);
            }
            return "change " + done;
        }

        private String stage(FastMemory region, Keyed known, int memory, long start) {
            if (known.valid) {
                // The model has one start. A separate test covers staging while the region is valid.
                return "stage false";
            }
            region.stage(pieces(memory), start);
            known.staged = memory;
            known.start = start;
            return "stage true";
        }

        private String map(FmrMemory region, Keyed known, int memory, long start) {
            if (random.nextInt(3) == 0) {
                region.unmap();
                known.valid = false;
                return "unmap true";
            }
            boolean done = region.map(pieces(memory), start, 2);
            if (done) {
                model.cover(known, RemoteKey.increment(known.key), memory, start, known.access);
                note(region.key());
            }
            assertThat(region.key()).isEqualTo(known.key);
            return "map " + done;
        }

        private String window(int domain) {
            if (windows.size() == 4) {
                RegisteredWindow window = any(new ArrayList<>(windows.keySet()));
                model.removeWindow(Objects.requireNonNull(windows.remove(window)));
                table.deallocate(window);
                return "window true";
            }
            MemoryWindowType type = random.nextBoolean() ? MemoryWindowType.TYPE_1 : MemoryWindowType.TYPE_2;
            RegisteredWindow window = Objects.requireNonNull(table.allocateWindow(domains.get(domain), type));
            windows.put(window, model.addWindow(window.key(), domain, type));
            note(window.key());
            return "window true";
        }

        private String bind(int user, RegisteredWindow window, RegisteredMemory region, Keyed known) {
            int present = random.nextInt(10) == 0 ? window.key() ^ 1 : window.key();
            int next = random.nextInt(10) == 0 ? anyKey() : RemoteKey.increment(window.key());
            int lkey = random.nextInt(10) == 0 ? anyKey() : region.key();
            long bytes = random.nextInt(SIZE / 2);
            long address = known.start + random.nextInt(-2, SIZE / 2 + 4);
            int rights = WINDOW_RIGHTS[random.nextInt(WINDOW_RIGHTS.length)];
            boolean done = table.bind(users.get(user), present, next, lkey, address, bytes, rights);
            assertThat(done).isEqualTo(model.bind(user, domainOf(user), present, next, lkey, address, bytes, rights));
            note(window.key());
            if (done) {
                bound = true;
                boundUser = user;
                boundKey = next;
                boundAddress = address;
            }
            return "bind " + done;
        }

        /** Several accesses of one user; between them its grant rests. */
        String access() {
            boolean aimed = bound && random.nextInt(4) == 0;
            int user = aimed ? boundUser : random.nextInt(3);
            String last = access(aimed, user);
            while (random.nextInt(3) > 0) {
                last = access(bound && user == boundUser && random.nextBoolean(), user);
            }
            grants.get(user).close();
            return last;
        }

        /** Tries to access a few bytes by a key; granted bytes are changed, if the rights permit. */
        private String access(boolean aimed, int user) {
            int key = aimed ? boundKey : anyKey();
            boolean remote = aimed || random.nextInt(4) > 0;
            boolean write = random.nextBoolean();
            int rights = remote
                    ? (write ? RightsModel.REMOTE_WRITE : RightsModel.REMOTE_READ)
                    : (write ? RightsModel.LOCAL_WRITE : 0);
            long address = aimed
                    ? boundAddress + random.nextInt(-1, 4)
                    : random.nextInt(4) * 0x1000L + random.nextInt(-2, SIZE + 2);
            int bytes = random.nextInt(1, 9);
            Optional<Place> place = model.find(user, domainOf(user), key, remote, rights, address, bytes);
            GrantedRange grant = grants.get(user);
            boolean granted = remote
                    ? grant.openRemote(key, rights, address, bytes)
                    : grant.openLocal(key, rights, address, bytes);
            assertThat(granted).isEqualTo(place.isPresent());
            if (place.isPresent()) {
                touch(grant, place.get(), write, bytes);
                grant.retain();
            }
            return (!remote ? "local " : key >>> 8 < 524_289 ? "region " : "window ") + granted;
        }

        private void touch(GrantedRange grant, Place place, boolean write, int bytes) {
            byte[] payload = new byte[bytes];
            byte[] memory = expected[place.memory()];
            int at = (int) place.offset();
            if (write) {
                Arrays.fill(payload, ++stamp);
                grant.copyFrom(MemorySegment.ofArray(payload), 0, bytes);
                System.arraycopy(payload, 0, memory, at, bytes);
            } else {
                grant.copyTo(MemorySegment.ofArray(payload), 0, bytes);
                assertThat(payload).isEqualTo(Arrays.copyOfRange(memory, at, at + bytes));
            }
        }

        void compareMemory() {
            for (int i = 0; i < MEMORIES; i++) {
                assertThat(memories.get(i).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected[i]);
            }
        }
    }
}
