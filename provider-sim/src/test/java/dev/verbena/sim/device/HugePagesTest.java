// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory on huge pages, where the machine has them. */
class HugePagesTest {
    private static final long HUGE = 2L << 20;
    private static final int MADV_HUGEPAGE = 14;
    private static final Path MOUNTS = Path.of("/proc/mounts");

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void memoryAdvisedToLieOnHugePagesIsMoved() throws Throwable {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(2 * HUGE, HUGE);
            assumeTrue(advise(memory, MADV_HUGEPAGE) == 0, "a kernel with transparent huge pages");
            move(memory);
        }
    }

    @SuppressWarnings("restricted") // The signature is that of madvise(2).
    private static int advise(MemorySegment memory, int advice) throws Throwable {
        MemorySegment function =
                Linker.nativeLinker().defaultLookup().find("madvise").orElse(null);
        assumeTrue(function != null, "a system with madvise(2)");
        return (int) Linker.nativeLinker()
                .downcallHandle(function, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT))
                .invokeExact(memory, memory.byteSize(), advice);
    }

    @Test
    void aFileOfHugePagesIsMoved() throws Exception {
        Optional<Path> mount = hugePageMount();
        assumeTrue(mount.isPresent(), "a writable hugetlbfs with two free pages");
        Path file = Files.createTempFile(mount.get(), "verbena", ".bin");
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            move(channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * HUGE, arena));
        } finally {
            Files.delete(file);
        }
    }

    private static Optional<Path> hugePageMount() throws IOException {
        if (!Files.isReadable(MOUNTS)) {
            return Optional.empty();
        }
        boolean free = Files.readString(Path.of("/proc/meminfo"))
                .lines()
                .filter(line -> line.startsWith("HugePages_Free:"))
                .anyMatch(line -> Integer.parseInt(line.replaceAll("\\D", "")) >= 2);
        try (Stream<String> mounts = Files.lines(MOUNTS)) {
            return mounts.map(line -> line.split(" "))
                    .filter(fields -> free && fields[2].equals("hugetlbfs"))
                    .map(fields -> Path.of(fields[1]))
                    .filter(Files::isWritable)
                    .findFirst();
        }
    }

    /** Sends the first huge page of the memory into the second one. */
    private void move(MemorySegment memory) throws VerbsException {
        Node left = lab.node("sim0", "10.0.0.1");
        Node right = lab.node("sim1", "10.0.0.2");
        Endpoint requester = left.endpoint();
        Endpoint responder = right.endpoint();
        requester.connect(responder, Connection.USUAL);
        MrInitAttributes attributes = MrInitAttributes.builder(memory)
                .lifetime(MemoryLifetime.CALLER_KEEPS_ALIVE)
                .access(AccessFlag.LOCAL_WRITE)
                .build();
        MemoryRegion from = left.domain().registerMemory(attributes);
        MemoryRegion to = right.domain().registerMemory(attributes);
        memory.asSlice(0, HUGE).fill((byte) 7);
        responder.receive(wr -> wr.id(2).sge(to, HUGE, HUGE));
        requester.post(wr -> wr.send().id(1).signaled().sge(from, 0, HUGE));
        // 2 MiB take longer than the time of one {@code settle}.
        lab.run(Duration.ofMillis(10));
        assertThat(requester.sends()).containsExactly("SEND 1");
        assertThat(memory.asSlice(HUGE).mismatch(memory.asSlice(0, HUGE))).isEqualTo(-1);
        from.close();
        to.close();
    }
}
