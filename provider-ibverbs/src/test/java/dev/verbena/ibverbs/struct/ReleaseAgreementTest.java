// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.PaddingLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares each layout with those of all releases of rdma-core and all architectures in {@code layouts.tsv}. */
class ReleaseAgreementTest {
    private static final String ALL = "all";
    static final String WHOLE = "-";
    private static final int OLDEST = 32;
    private static final int NEWEST = 65;

    /** The structure that grew, and the first release with its last member. */
    private static final String GROWN = "ibv_port_attr -";

    private static final int XDR = 49;

    /** The place of a member, or of a whole structure at 0. */
    record Place(long offset, long size) {}

    private record Row(String name, String architecture, int from, int to, Place place) {
        static Row of(String line) {
            String[] fields = line.split("\t");
            return new Row(
                    fields[0] + " " + fields[1],
                    fields[2],
                    Integer.parseInt(fields[3]),
                    Integer.parseInt(fields[4]),
                    new Place(fields[5].equals(WHOLE) ? 0 : Long.parseLong(fields[5]), Long.parseLong(fields[6])));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "amd64, true",
        "aarch64, true",
        "ppc64le, true",
        "s390x, true",
        "riscv64, true",
        "amd64, false",
        "aarch64, false",
        "ppc64le, false",
        "s390x, false"
    })
    void placesAreThoseOfEveryRelease(String architecture, boolean glibc) throws IOException {
        Map<String, Place> ours = places(CLayout.mutexSize(architecture, glibc));
        String special = architecture + (glibc ? "-glibc" : "-musl");
        List<Row> rows = rows();

        for (int release = OLDEST; release <= NEWEST; release++) {
            Map<String, Place> theirs = new HashMap<>();
            for (String which : List.of(ALL, special)) {
                for (Row row : rows) {
                    if (row.architecture().equals(which) && row.from() <= release && release <= row.to()) {
                        theirs.put(row.name(), row.place());
                    }
                }
            }
            Map<String, Place> expected = new HashMap<>(ours);
            if (release < XDR) {
                expected.put(GROWN, new Place(0, IbvPortAttr.ACTIVE_SPEED_EX));
                expected.remove("ibv_port_attr active_speed_ex");
            }
            assertThat(expected).as("rdma-core %d on %s", release, special).containsAllEntriesOf(theirs);
        }
    }

    @Test
    void eachMemberHasARow() throws IOException {
        List<Row> rows = rows();
        Set<String> known = new HashSet<>();
        Set<String> structures = new HashSet<>();
        for (Row row : rows) {
            known.add(row.name());
            structures.add(row.name().split(" ")[0]);
        }

        assertThat(structures).hasSizeGreaterThan(30);
        assertThat(places(CLayout.mutexSize("amd64", true)).keySet().stream()
                        .filter(name -> structures.contains(name.split(" ")[0]))
                        .filter(name -> !name.matches("ibv_(cq|qp) -|.*[ .]mutex[.].*|.*[ .]cond[.].*")))
                .allMatch(known::contains);
    }

    /** The places of all members with a mutex of some size; Java's layouts here have that of this machine. */
    static Map<String, Place> places(long mutexSize) {
        Map<String, Place> places = new HashMap<>();
        for (GroupLayout layout : CompilerAgreementTest.LAYOUTS) {
            String name = layout.name().orElseThrow();
            Map<String, Place> own = new HashMap<>();
            own.put(WHOLE, new Place(0, layout.byteSize()));
            members("", layout, 0, own);
            String mutexName = own.keySet().stream()
                    .filter(member -> member.matches("(.*[.])?mutex"))
                    .findAny()
                    .orElse("");
            Place mutex = own.getOrDefault(mutexName, new Place(layout.byteSize(), mutexSize));
            long more = mutexSize - mutex.size();
            own.forEach((member, place) -> {
                boolean around = member.equals(WHOLE) || mutexName.equals(member) || mutexName.startsWith(member + ".");
                places.put(
                        name + " " + member,
                        new Place(
                                place.offset() + (place.offset() > mutex.offset() ? more : 0),
                                place.size() + (around ? more : 0)));
            });
        }
        long pointer = Long.BYTES;
        places.put("verbs_context sz", new Place(-VerbsContext.SZ_BEFORE_CONTEXT, pointer));
        places.put("verbs_context query_port", new Place(-VerbsContext.QUERY_PORT_BEFORE_CONTEXT, pointer));
        places.put("verbs_context advise_mr", new Place(-VerbsContext.ADVISE_MR_BEFORE_CONTEXT, pointer));
        places.put("verbs_context modify_cq", new Place(-VerbsContext.MODIFY_CQ_BEFORE_CONTEXT, pointer));
        places.put("verbs_context query_device_ex", new Place(-VerbsContext.QUERY_DEVICE_EX_BEFORE_CONTEXT, pointer));
        places.put("verbs_context create_cq_ex", new Place(-VerbsContext.CREATE_CQ_EX_BEFORE_CONTEXT, pointer));
        places.put("verbs_context query_rt_values", new Place(-VerbsContext.QUERY_RT_VALUES_BEFORE_CONTEXT, pointer));
        places.put("verbs_context create_qp_ex", new Place(-VerbsContext.CREATE_QP_EX_BEFORE_CONTEXT, pointer));
        return places;
    }

    private static void members(String prefix, GroupLayout group, long base, Map<String, Place> into) {
        for (MemoryLayout member : group.memberLayouts()) {
            String name = member.name().orElse("");
            if (member instanceof PaddingLayout || name.matches("_compat_.*|_ops.*|align|bytes")) {
                continue;
            }
            long offset = base + group.byteOffset(PathElement.groupElement(name));
            // The second union of a send request has no name in C: its members are the request's.
            boolean unnamed = name.equals("local");
            if (!unnamed) {
                into.put(prefix + name, new Place(offset, member.byteSize()));
            }
            if (member instanceof GroupLayout nested) {
                members(unnamed ? prefix : prefix + name + ".", nested, offset, into);
            }
        }
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        try (InputStream file = ReleaseAgreementTest.class.getResourceAsStream("layouts.tsv")) {
            new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Row::of)
                    .forEach(rows::add);
        }
        return rows;
    }
}
