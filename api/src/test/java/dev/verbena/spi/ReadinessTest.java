// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadinessTest {
    private boolean ready;
    private final Readiness readiness = new Readiness(() -> ready, Runnable::run);

    @Test
    void aProgramThatClosesItsPipeCostsTheProviderNothingAndMayAskForAnother() throws IOException, VerbsException {
        SelectableChannel first = readiness.selectable();
        first.close();
        ready = true;
        readiness.signal();
        ready = false;
        readiness.polled();
        ready = true;

        SelectableChannel second = readiness.selectable();
        assertThat(second).isNotSameAs(first);
        try (Selector selector = Selector.open()) {
            second.register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isEqualTo(1);
            readiness.close();
        }
    }

    @Test
    void aProgramThatClosesAReadablePipeCostsTheProviderNothing() throws IOException, VerbsException {
        ready = true;
        readiness.selectable().close();
        ready = false;
        readiness.polled();
        readiness.signal();
        assertThat(readiness.selectable().isOpen()).isTrue();
        readiness.close();
    }

    @ParameterizedTest
    @ValueSource(classes = {RejectedExecutionException.class, OutOfMemoryError.class})
    void aStageThatTheExecutorRefusesIsCompletedByTheSignallingThread(Class<? extends Throwable> refusal) {
        Readiness refused = new Readiness(() -> ready, command -> {
            if (refusal == OutOfMemoryError.class) {
                throw new OutOfMemoryError("no thread");
            }
            throw new RejectedExecutionException("too many tasks");
        });
        CompletableFuture<Void> first = refused.stage().toCompletableFuture();
        CompletableFuture<Void> second = refused.stage().toCompletableFuture();
        ready = true;

        refused.signal();

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        ready = false;
        CompletableFuture<Void> open = refused.stage().toCompletableFuture();
        refused.close();
        assertThat(open).isCompletedExceptionally();
    }

    @Test
    void stagesThatTheProgramCancelledAreForgotten() {
        WeakReference<CompletionStage<Void>> first = cancelled();
        for (int i = 0; i < 1000; i++) {
            readiness.stage().toCompletableFuture().cancel(false);
        }
        for (int i = 0; i < 50 && first.get() != null; i++) {
            System.gc();
        }
        assertThat(first.get()).isNull();
    }

    private WeakReference<CompletionStage<Void>> cancelled() {
        CompletionStage<Void> stage = readiness.stage();
        stage.toCompletableFuture().cancel(false);
        return new WeakReference<>(stage);
    }
}
