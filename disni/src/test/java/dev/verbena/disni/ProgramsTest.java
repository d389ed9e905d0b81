// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import program.verbs.Peer;

/** The programs of these tests are those of a user of DiSNI: they use no class of this project. */
class ProgramsTest {
    @Test
    void programsUseNoClassOfThisProject() throws Exception {
        Path root = Path.of(
                Peer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root.resolve("program"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                StreamSupport.stream(ClassFile.of().parse(file).constantPool().spliterator(), false)
                        .filter(ClassEntry.class::isInstance)
                        .map(entry -> ((ClassEntry) entry).asInternalName())
                        .filter(name -> !name.startsWith("java/") && !name.startsWith("["))
                        .forEach(used::add);
            }
        }

        System.out.println("the programs use " + used);
        assertThat(used).isNotEmpty().noneMatch(name -> name.contains("verbena"));
    }
}
