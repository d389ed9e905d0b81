// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue without a device. Tests add empty completions from any thread; the user's own calls add some, too,
 * at random moments. It announces one completion for each arming.
 */
final class FakeQueue implements CompletionQueue {

    private static final WorkCompletion COMPLETION = (WorkCompletion) Proxy.newProxyInstance(
            WorkCompletion.class.getClassLoader(), new Class<?>[] {WorkCompletion.class}, (self, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    private final Runnable handler;
    private final Random moments;
    private int present;
    private int added;
    private int toInject;
    private boolean armed;

    FakeQueue(Runnable handler, Random moments) {
        this.handler = handler;
        this.moments = moments;
    }

    private static final class Batch implements WorkCompletions {
        private final int capacity;
        private int count;

        Batch(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public int capacity() {
            return capacity;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public WorkCompletion get(int index) {
            return COMPLETION;
        }
    }

    /** How many further completions the user's own calls will add. */
    synchronized void injectMore(int count) {
        toInject = count;
    }

    void add() {
        boolean announce;
        synchronized (this) {
            present++;
            added++;
            announce = armed;
            armed = false;
        }
        if (announce) {
            handler.run();
        }
    }

    synchronized int added() {
        return added;
    }

    /** Something comes now, or does not. The last one is added as soon as the queue is empty. */
    private void maybeInject() {
        boolean now;
        synchronized (this) {
            now = toInject > 0 && (present == 0 || moments.nextInt(3) == 0);
            toInject -= now ? 1 : 0;
        }
        if (now) {
            add();
        }
    }

    @Override
    public int poll(WorkCompletions into) {
        Batch batch = (Batch) into;
        synchronized (this) {
            batch.count = Math.min(present, batch.capacity);
            present -= batch.count;
        }
        int count = batch.count;
        maybeInject();
        return count;
    }

    @Override
    public void requestNotification(Notification kind) {
        synchronized (this) {
            armed = true;
        }
        maybeInject();
    }

    @Override
    public WorkCompletions newCompletions(int capacity) {
        return new Batch(capacity);
    }

    @Override
    public Device device() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int capacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public @Nullable Object context() {
        return null;
    }

    @Override
    public Optional<CompletionChannel> channel() {
        return Optional.empty();
    }

    @Override
    public void resize(int capacity) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
