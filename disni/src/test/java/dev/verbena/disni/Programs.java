// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Servers and clients as threads of this process. */
final class Programs {
    private Programs() {}

    /** A program by its main method. */
    interface Program {
        void run() throws Exception;
    }

    /** Runs a client after its server listens, and checks what both print. */
    static void run(Program server, Program client) throws Exception {
        PrintStream usual = System.out;
        CountDownLatch listening = new CountDownLatch(1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] from, int offset, int length) {
                super.write(from, offset, length);
                if (toString(StandardCharsets.UTF_8).contains("listening")) {
                    listening.countDown();
                }
            }
        };
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            Callable<String> serving = () -> {
                server.run();
                return bytes.toString(StandardCharsets.UTF_8);
            };
            FutureTask<String> task = new FutureTask<>(serving) {
                @Override
                protected void done() {
                    listening.countDown();
                }
            };
            new Thread(task, "server").start();
            assertThat(listening.await(1, TimeUnit.MINUTES))
                    .as("the server listens")
                    .isTrue();
            assertThat(task.isDone()).as("the server ended").isFalse();
            client.run();
            task.get();
        } finally {
            System.setOut(usual);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.contains("wrong"))
                .isNotEmpty()
                .allMatch(line -> line.endsWith(": wrong 0"));
    }
}
