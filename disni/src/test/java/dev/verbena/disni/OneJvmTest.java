// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers and clients of {@link ProcessesTest} as threads of one process, over the default software devices. */
@Timeout(60)
class OneJvmTest {
    private static final String HOST = "192.0.2.1";

    private static int nextPort = 20_000;

    @ParameterizedTest
    @ValueSource(strings = {"usual", "reverse"})
    void rawVerbs(String order) throws Exception {
        String port = String.valueOf(nextPort++);

        run(
                () -> program.verbs.Server.main(new String[] {HOST, port}),
                () -> program.verbs.Client.main(new String[] {HOST, port, order}));
    }

    @ParameterizedTest
    @ValueSource(strings = {"active", "polling", "passive"})
    void endpoints(String kind) throws Exception {
        String port = String.valueOf(nextPort++);

        run(() -> program.endpoints.Server.main(new String[] {HOST, port, kind, "2"}), () -> {
            program.endpoints.Client.main(new String[] {HOST, port, kind});
            program.endpoints.Client.main(new String[] {HOST, port, kind});
        });
    }

    /** A program by its main method. */
    private interface Program {
        void run() throws Exception;
    }

    private static void run(Program server, Program client) throws Exception {
        PrintStream usual = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            Callable<String> serving = () -> {
                server.run();
                return bytes.toString(StandardCharsets.UTF_8);
            };
            FutureTask<String> task = new FutureTask<>(serving);
            new Thread(task, "server").start();
            while (!bytes.toString(StandardCharsets.UTF_8).contains("listening")) {
                assertThat(task.isDone()).as("the server ended").isFalse();
                TimeUnit.MILLISECONDS.sleep(10);
            }
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
