// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple3;

class GidTableTest {
    /** Put or remove, the address, the value. */
    @Provide
    Arbitrary<List<Tuple3<Boolean, Integer, Integer>>> changes() {
        return Combinators.combine(
                        Arbitraries.of(true, true, false),
                        Arbitraries.integers().between(0, 40),
                        Arbitraries.integers())
                .as(Tuple::of)
                .list()
                .ofMaxSize(120);
    }

    @Property
    void aTableIsAMap(@ForAll("changes") List<Tuple3<Boolean, Integer, Integer>> changes) {
        GidTable<Integer> table = GidTable.empty();
        Map<Integer, Integer> model = new TreeMap<>();
        for (Tuple3<Boolean, Integer, Integer> change : changes) {
            GidTable<Integer> before = table;
            Gid gid = gid(change.get2());
            Integer was = before.get(gid.high(), gid.low());
            if (change.get1()) {
                table = table.with(gid, change.get3());
                model.put(change.get2(), change.get3());
            } else {
                table = table.without(gid);
                model.remove(change.get2());
            }
            assertThat(before.get(gid.high(), gid.low())).as("the old table").isEqualTo(was);
            for (int i = 0; i <= 40; i++) {
                assertThat(table.get(gid(i).high(), gid(i).low())).isEqualTo(model.get(i));
            }
        }
    }

    private static Gid gid(int number) {
        return number % 2 == 0 ? Gid.parse("10.0.0." + (number + 1)) : new Gid(0xfe80L << 48, number);
    }
}
