// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.Guice;
import com.google.inject.Injector;
import dev.verbena.cli.network.CloseStack;
import dev.verbena.cli.network.DevicesModule;
import dev.verbena.cli.network.FabricModule;
import dev.verbena.cli.network.NodesModule;
import dev.verbena.cli.network.RuntimeModule;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.fault.FaultPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DemoRunTest {
    private static final int SIZE = 10_000;
    private static final int MESSAGE = 5_000;

    private final Injector injector = Guice.createInjector(
            new RuntimeModule(OptionalLong.of(1)),
            new FabricModule(FaultPlan.none(), Optional.empty(), Optional.empty()),
            new DevicesModule(Optional.empty()),
            new NodesModule());

    private DemoOutcome run(DataSource source) throws Exception {
        try (CloseStack _ = injector.getInstance(CloseStack.class)) {
            ProgressBar silent = new ProgressBar(new PrintWriter(new StringWriter()), false, InstantSource.system());
            return injector.getInstance(DemoRun.class).run(source, MESSAGE, silent);
        }
    }

    @Test
    void aCopyThatDiffersInOneBitIsNoSuccess() throws Exception {
        DemoOutcome outcome = run(new GeneratedReads() {
            @Override
            void onRead(int number, MemorySegment into) {
                // The first read is for the digest, and this one is for the second message.
                if (number == 3) {
                    byte last = into.get(ValueLayout.JAVA_BYTE, into.byteSize() - 1);
                    into.set(ValueLayout.JAVA_BYTE, into.byteSize() - 1, (byte) (last ^ 1));
                }
            }
        });
        assertThat(outcome.isGood()).isFalse();
        assertThat(outcome.creditsAreBack()).isTrue();
        assertThat(outcome.digests().stored()).isNotEqualTo(outcome.digests().source());
        assertThat(outcome.digests().fetched()).isEqualTo(outcome.digests().stored());
        StringWriter out = new StringWriter();
        injector.getInstance(DemoReport.class).print(outcome, new PrintWriter(out));
        assertThat(out.toString()).contains("THEY DIFFER").doesNotContain("agree");
    }

    @Test
    void aSourceThatFailsHalfwayEndsTheRunWithItsReason() {
        assertThatThrownBy(() -> run(new GeneratedReads() {
                    @Override
                    void onRead(int number, MemorySegment into) throws IOException {
                        if (number == 3) {
                            throw new IOException("the disk is gone");
                        }
                    }
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the disk is gone");
    }

    /** Generated data that fails at a given read. */
    private abstract static class GeneratedReads implements DataSource {
        private final GeneratedData data = new GeneratedData(SIZE);
        private int reads;

        abstract void onRead(int number, MemorySegment into) throws IOException;

        @Override
        public long size() {
            return data.size();
        }

        @Override
        public void read(long position, MemorySegment into) throws IOException {
            data.read(position, into);
            onRead(++reads, into);
        }
    }
}
