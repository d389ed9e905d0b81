// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailureLogTest {
    private static final Logger LOGGER = Logger.getLogger(FailureLog.class.getName());
    private static final long BEFORE_OVERFLOW = Long.MAX_VALUE - 10;

    private final List<String> logged = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(BEFORE_OVERFLOW);
    private final FailureLog failures = new FailureLog(now::get);
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            failures.report("a connection", new IllegalStateException("ibv_create_qp failed"));
        }
    }

    @Test
    void aFloodOfFailuresIsLoggedOnceInEachInterval() {
        fail(1_000);
        now.addAndGet(FailureLog.INTERVAL.toNanos() - 1);
        fail(1);
        now.addAndGet(1);
        fail(2);

        assertThat(logged)
                .containsExactly(
                        "a connection: ibv_create_qp failed",
                        "a connection: ibv_create_qp failed (1000 earlier failures were not logged)");
    }
}
