// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

class DeadlineHeapTest {
    private static final int ENTRIES = 24;

    private static final class Task extends DeadlineHeap.Entry {}

    /**
     * Each operation moves or removes an entry, or takes the first one out. The model is a list in the order of the
     * deadlines.
     */
    @Property
    void givesTheEntryThatIsDueFirstAndOfThoseTheOneThatWasPutFirst(
            @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 6 * ENTRIES - 1) Integer> operations) {
        DeadlineHeap<Task> heap = new DeadlineHeap<>();
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            tasks.add(new Task());
        }
        List<Task> model = new ArrayList<>();
        for (int operation : operations) {
            Task task = tasks.get(operation % ENTRIES);
            int kind = operation / ENTRIES;
            if (kind < 4) {
                model.remove(task);
                heap.put(task, kind);
                int place = 0;
                while (place < model.size() && model.get(place).deadline() <= kind) {
                    place++;
                }
                model.add(place, task);
            } else {
                @Nullable Task removed = kind == 4 ? task : heap.peek();
                model.remove(removed);
                if (removed != null) {
                    heap.remove(removed);
                }
            }
            assertThat(heap.size()).isEqualTo(model.size());
            assertThat(heap.peek()).isSameAs(model.isEmpty() ? null : model.getFirst());
        }
        for (Task expected : List.copyOf(model)) {
            assertThat(heap.peek()).isSameAs(expected);
            heap.remove(expected);
        }
        assertThat(heap.peek()).isNull();
    }
}
