// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Guice;
import com.google.inject.Injector;
import dev.verbena.cli.network.CloseStack;
import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.FabricModule;
import dev.verbena.cli.network.NodePair;
import dev.verbena.cli.network.NodesModule;
import dev.verbena.cli.network.RuntimeModule;
import dev.verbena.fault.FaultPlan;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.ProcessId;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class StoreTest {
    private static final long WIRE_OFFSETS = 1L << 32;

    @Property
    void everyMessageIsInOneSectionAtAnOffsetThatFitsTheWire(
            @ForAll @IntRange(min = 1, max = 1 << 20) int messageSize,
            @ForAll @LongRange(min = 0, max = 1L << 40) long near) {
        Sections sections = Sections.of(messageSize, Sections.LIMIT);
        long first = near / messageSize * messageSize;
        long last = first + messageSize - 1;
        assertThat(sections.section(last)).isEqualTo(sections.section(first));
        assertThat(sections.offset(last)).isEqualTo(sections.offset(first) + messageSize - 1);
        assertThat(sections.offset(last)).isBetween(0L, WIRE_OFFSETS - 1);
    }

    @Test
    void dataOfManySectionsComesBackWhole() throws Exception {
        int message = 1000;
        Sections sections = Sections.of(message, 3 * message - 1);
        GeneratedData source = new GeneratedData(10 * message + 1);
        Injector injector = Guice.createInjector(
                new RuntimeModule(OptionalLong.of(1)),
                new FabricModule(FaultPlan.none(), Optional.empty(), Optional.empty()),
                new DevicesModule(Optional.empty()),
                new NodesModule());
        try (CloseStack _ = injector.getInstance(CloseStack.class);
                Store store = new Store(source.size(), message, sections);
                FileData fetched = FileData.temporary(source.size());
                NodePair nodes = injector.getInstance(NodePair.class)) {
            Transaction transaction = new Transaction(0xABCDEF012345L);
            store.offer(nodes.target(), nodes.initiator().id(), transaction);
            LnetNode initiator = nodes.initiator();
            ProcessId target = nodes.target().id();
            new PutTransfer(initiator, target, transaction, source, sections, message).run(moved -> {});
            new GetTransfer(initiator, target, transaction, fetched, sections, message).run(moved -> {});
            String digest = Sha256.of(source, read -> {});
            assertThat(sections.section(source.size() - 1)).isEqualTo(5);
            assertThat(Sha256.of(store, read -> {})).isEqualTo(digest);
            assertThat(Sha256.of(fetched, read -> {})).isEqualTo(digest);
        }
    }
}
