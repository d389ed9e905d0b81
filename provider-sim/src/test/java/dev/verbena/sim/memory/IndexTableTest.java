// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class IndexTableTest {
    @Property(tries = 200)
    void handsOutTheNextFreeNumberAndWraps(
            @ForAll @IntRange(min = 1, max = 8) int limit,
            @ForAll @IntRange(min = 1020, max = 1027) int first,
            @ForAll @Size(max = 100) List<@IntRange(max = 15) Integer> steps) {
        int min = 1020;
        int max = 1027;
        IndexTable<String> table = new IndexTable<>(min, max, first, limit);
        Map<Integer, String> model = new TreeMap<>();
        int last = first == min ? max : first - 1;
        for (int step : steps) {
            if (step > 7) {
                String added = table.add(number -> "object " + number);
                if (model.size() == limit) {
                    assertThat(added).isNull();
                } else {
                    do {
                        last = last == max ? min : last + 1;
                    } while (model.containsKey(last));
                    assertThat(added).isEqualTo("object " + last);
                    model.put(last, "object " + last);
                }
            } else {
                table.remove(min + step);
                model.remove(min + step);
            }
            assertThat(table.count()).isEqualTo(model.size());
            for (int number = min - 2; number <= max + 2; number++) {
                assertThat(table.get(number)).isEqualTo(model.get(number));
            }
        }
    }

    @Test
    void findsNothingUnderNumbersThatCannotBe() {
        IndexTable<String> table = new IndexTable<>(17, 100_000, 100_000);
        table.add(number -> "first");
        assertThat(table.get(17)).isEqualTo("first");
        assertThat(List.of(0, 16, 18, 100_001, -1, Integer.MIN_VALUE, Integer.MAX_VALUE))
                .allSatisfy(number -> assertThat(table.get(number)).isNull());
    }
}
