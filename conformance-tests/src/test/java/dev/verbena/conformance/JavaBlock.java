// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Java source in a page of this repository. */
final class JavaBlock {
    private static final Pattern BLOCK = Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    private JavaBlock() {}

    /** The first block that the page marks as Java. */
    static String firstOf(String page) throws IOException {
        Path module = Path.of(System.getProperty("basedir", ""));
        Matcher block = BLOCK.matcher(
                Files.readString(module.toAbsolutePath().resolve("..").resolve(page)));
        assertThat(block.find()).as("a block ```java in " + page).isTrue();
        return block.group(1);
    }
}
