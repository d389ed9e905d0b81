// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSourceTest {
    private static final int LENGTH = 100;

    @TempDir
    private Path directory;

    @Property
    void generatedDataIsTheSameWhereverAReadBegins(
            @ForAll @IntRange(max = LENGTH) int from, @ForAll @IntRange(max = LENGTH) int length) throws IOException {
        GeneratedData data = new GeneratedData(2 * LENGTH);
        byte[] whole = read(data, 0, 2 * LENGTH);
        assertThat(read(data, from, length)).isEqualTo(Arrays.copyOfRange(whole, from, from + length));
    }

    @Test
    void generatedDataDoesNotRepeatItself() {
        GeneratedData data = new GeneratedData(1 << 16);
        assertThat(read(data, 0, 4096)).isNotEqualTo(read(data, 4096, 4096));
        int[] counts = new int[256];
        for (byte value : read(data, 0, 1 << 16)) {
            counts[value & 0xff]++;
        }
        // 256 of each are expected; 6 standard deviations are 96.
        assertThat(Arrays.stream(counts).boxed().toList())
                .allSatisfy(count -> assertThat(count).isBetween(160, 352));
    }

    @Test
    void aTemporaryFileGivesBackWhatWasWrittenInAnyOrder() throws IOException {
        try (FileData file = FileData.temporary(8)) {
            file.write(4, MemorySegment.ofArray(new byte[] {4, 5, 6, 7}));
            file.write(0, MemorySegment.ofArray(new byte[] {0, 1, 2, 3}));
            MemorySegment some = MemorySegment.ofArray(new byte[6]);
            file.read(1, some);
            assertThat(some.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3, 4, 5, 6);
        }
    }

    @Test
    void aFileThatIsCutWhileItIsReadIsReportedByName() throws IOException {
        Path path = Files.write(directory.resolve("shrinking"), new byte[LENGTH]);
        try (FileData file = FileData.open(path)) {
            Files.write(path, new byte[LENGTH / 2]);
            assertThatThrownBy(() -> file.read(0, MemorySegment.ofArray(new byte[LENGTH])))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContainingAll("shrinking", "byte 50 of 100");
        }
    }

    @Test
    void copiesThatDoNotFitOnTheDiskTogetherAreRefusedBeforehand() throws IOException {
        long usable = Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir")))
                .getUsableSpace();
        FileData.checkRoom(0, 2);
        // Other processes may write or delete files meanwhile, but hardly a quarter of the disk.
        FileData.checkRoom(usable / 4, 2);
        assertThatThrownBy(() -> FileData.checkRoom(usable / 4 * 3, 2))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("2 copies", "do not fit", "java.io.tmpdir");
    }

    private static byte[] read(GeneratedData data, long from, int length) {
        byte[] bytes = new byte[length];
        data.read(from, MemorySegment.ofArray(bytes));
        return bytes;
    }
}
