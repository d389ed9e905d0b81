// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PerThreadTest {
    private static final int COLLECTIONS = 20;

    /** A value that refers to its maker, as packets refer to their pool. */
    private static final class Owner {
        private final PerThread<Owner> values = new PerThread<>(() -> this);
    }

    @Test
    void eachThreadHasItsOwnValueAndKeepsIt() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();
        PerThread<Integer> values = new PerThread<>(made::getAndIncrement);
        assertThat(values.get()).isZero();
        AtomicReference<Integer> other = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            values.get();
            other.set(values.get());
        });
        thread.join();
        assertThat(other).hasValue(1);
        System.gc();
        assertThat(values.get()).isZero();
        assertThat(made).hasValue(2);
    }

    @Test
    void aThreadThatLivesOnDoesNotKeepTheValueOfAnObjectThatIsGone() {
        WeakReference<Owner> gone = new WeakReference<>(used());
        for (int i = 0; i < COLLECTIONS && gone.get() != null; i++) {
            System.gc();
        }
        assertThat(gone.get()).isNull();
    }

    private static Owner used() {
        Owner owner = new Owner();
        assertThat(owner.values.get()).isSameAs(owner);
        return owner;
    }
}
