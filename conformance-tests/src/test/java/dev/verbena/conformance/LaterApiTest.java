// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A provider and a program that were compiled against today's API run with a later one. The provider is that of
 * docs/provider.md. Its device completes sends with a status number that today's API does not know.
 */
class LaterApiTest {
    private static final String END_OF_SEND =
            "from.completeSend(send, fits ? SUCCESS : sink.isEmpty() ? REM_OP_ERR : REM_INV_REQ_ERR);";
    private static final String END_WITH_24 =
            "((PlainCompletionQueue) from.sendCq()).add(send.id(), 24, WorkCompletionOpcode.SEND, 0, from.number());";

    @TempDir
    Path directory;

    private Path today;

    @BeforeEach
    void compileTheProviderOfToday() throws IOException {
        today = Files.createDirectories(directory.resolve("today"));
        String page = JavaBlock.firstOf("docs/provider.md");
        assertThat(page).contains(END_OF_SEND);
        Path source = Files.writeString(today.resolve("LoopProvider.java"), page.replace(END_OF_SEND, END_WITH_24));
        new OutsideProgram(source, today);
        Path services = Files.createDirectories(today.resolve("META-INF/services"));
        Files.writeString(services.resolve(VerbsProvider.class.getName()), "LoopProvider");
    }

    private Path source(String name, Path into) throws IOException {
        try (var text = Objects.requireNonNull(LaterApiTest.class.getResourceAsStream("/evolution/" + name))) {
            return Files.write(into.resolve(name), text.readAllBytes());
        }
    }

    @Test
    void aProgramAndAProviderOfTodayRunWithALaterApi() throws IOException, InterruptedException {
        OutsideProgram old = new OutsideProgram(source("Old.java", today), today);
        assertThat(old.run().lines())
                .containsExactly("received SUCCESS 0 hello", "failed UNKNOWN 24 hello", "99 queue pairs at most");

        Path later = LaterApi.compile(directory);
        assertThat(old.runAfter(List.of(later)).lines())
                .containsExactly("received SUCCESS 0 hello", "failed LATER_ERR 24 hello", "99 queue pairs at most");

        Path program = Files.createDirectories(directory.resolve("program"));
        String classPath = OutsideProgram.after(List.of(later, today));
        assertThat(new OutsideProgram(source("Later.java", program), program, classPath)
                        .runAfter(List.of(later, today))
                        .lines())
                .containsExactly(
                        "Device.laterQuery: EOPNOTSUPP LATER",
                        "QueuePair.laterOrder: EOPNOTSUPP LATER",
                        "CompletionQueue.laterCount: 17",
                        "DeviceAttributes.laterLimit: 5",
                        "capability: false");
    }
}
