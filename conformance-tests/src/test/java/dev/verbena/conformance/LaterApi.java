// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The API as a later minor release may have it: today's sources with three methods, an attribute and two enum constants more. Two of
 * the methods are abstract, with an implementation in the base classes of providers; the third is a default method.
 */
final class LaterApi {
    private static final String VERBS = "dev/verbena/verbs/";
    private static final String SPI = "dev/verbena/spi/";
    private static final String REFUSAL = "throw new CapabilityException(Capability.LATER, \"ibv_later\", ";

    private final Path sources;

    private LaterApi(Path sources) {
        this.sources = sources;
    }

    /** Copies, changes and compiles the API; returns the directory of the classes. */
    static Path compile(Path directory) throws IOException {
        LaterApi later = new LaterApi(Files.createDirectories(directory.resolve("sources")));
        later.copy(RepositoryRoot.find().resolve("api/src/main/java"));
        later.addConstants();
        later.addMethods();
        later.addAttribute();
        Path classes = Files.createDirectories(directory.resolve("classes"));
        OutsideProgram.compile(later.files(), classes, OutsideProgram.CLASS_PATH);
        return classes;
    }

    private void addConstants() throws IOException {
        insert(VERBS + "Capability.java", "    QP_QUERY(", "LATER(\"a later method\"),\n");
        insert(VERBS + "WorkCompletionStatus.java", "    UNKNOWN(-1,", "LATER_ERR(24, \"\", \"\"),\n");
        insert(VERBS + "Suspects.java", "case LOC_LEN_ERR ->", "case LATER_ERR -> List.of();\n");
    }

    private void addMethods() throws IOException {
        insert(
                VERBS + "Device.java",
                "    @Override\n    void close()",
                "Object laterQuery() throws VerbsException;\n\n");
        insert(
                SPI + "AbstractDevice.java",
                "    @Override\n    public AsyncEventChannel asyncEvents()",
                "@Override public Object laterQuery() throws VerbsException { " + REFUSAL + "name()); }\n\n");
        insert(
                VERBS + "QueuePair.java",
                "    SendRequests newSendRequests(",
                "Object laterOrder() throws VerbsException;\n\n");
        insert(
                SPI + "AbstractQueuePair.java",
                "    @Override\n    public QpAttributes query()",
                "@Override public Object laterOrder() throws VerbsException { " + REFUSAL
                        + "protectionDomain().device().name()); }\n\n");
        insert(
                VERBS + "CompletionQueue.java",
                "    void resize(",
                "default int laterCount() { return capacity() + 1; }\n\n");
    }

    private void addAttribute() throws IOException {
        String attributes = VERBS + "DeviceAttributes.java";
        insert(attributes, "    private final int maxFastRegPageListLength;", "private final int laterLimit;\n");
        insert(attributes, "        this.firmwareVersion = firmwareVersion;", "this.laterLimit = laterLimit;\n");
        insert(attributes, "            OdpCapabilities odpCapabilities) {", "int laterLimit,\n");
        insert(attributes, "    private Components components()", "public int laterLimit() { return laterLimit; }\n\n");
        String builder = VERBS + "DeviceAttributesBuilder.java";
        insert(builder, "    private int maxFastRegPageListLength;", "private int laterLimit = 5;\n");
        insert(builder, "                odpCapabilities);", "laterLimit,\n");
    }

    /** Inserts text before the only place where the file has another text. */
    private void insert(String file, String before, String text) throws IOException {
        Path path = sources.resolve(file);
        String source = Files.readString(path);
        assertThat(source.split(Pattern.quote(before), -1))
                .as("'%s' once in %s", before, file)
                .hasSize(2);
        Files.writeString(path, source.replace(before, text + before));
    }

    private void copy(Path from) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                    .filter(each -> !each.endsWith("module-info.java"))
                    .toList()) {
                Path to = sources.resolve(from.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
