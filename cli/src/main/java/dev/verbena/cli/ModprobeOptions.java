// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The options that a file of {@code modprobe.d} sets for one kernel module. A line of a {@code modprobe.d} file
 * contains the word {@code options}, the name of a module, and pairs {@code NAME=VALUE}. If a parameter name occurs
 * twice, the last value counts. This class ignores a line for another module, and a line with a first word other than
 * {@code options}. Source: {@code modprobe.d}(5).
 */
final class ModprobeOptions {
    private record Option(String name, String value, int line) {}

    private final Path file;
    private final List<Option> options = new ArrayList<>();

    private ModprobeOptions(Path file) {
        this.file = file;
    }

    /** Throws {@link IllegalArgumentException} if the file is unreadable, or a kernel module option has no value. */
    static ModprobeOptions read(Path file, String module) {
        ModprobeOptions read = new ModprobeOptions(file);
        read.load(SettingsFile.read(file).lines().toList(), module);
        return read;
    }

    /** Parses the lines. A line that ends with a backslash continues on the next line. */
    private void load(List<String> lines, String module) {
        boolean ours = false;
        boolean goesOn = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            String text = line.endsWith("\\") ? line.substring(0, line.length() - 1) : line;
            List<String> words = new ArrayList<>(List.of(text.strip().split("\\s+")));
            if (!goesOn) {
                ours = words.size() > 1
                        && words.get(0).equals("options")
                        && words.get(1).equals(module);
                words.subList(0, Math.min(2, words.size())).clear();
            }
            if (ours) {
                add(words, i + 1);
            }
            goesOn = line.endsWith("\\");
        }
    }

    private void add(List<String> words, int line) {
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                // As in the kernel, a parameter name may contain dashes or underscores, and its value may be in quotes.
                String name = word.substring(0, equals).replace('-', '_');
                String value = word.substring(equals + 1);
                boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                options.add(new Option(name, quoted ? value.substring(1, value.length() - 1) : value, line));
            } else if (!word.isEmpty()) {
                throw wrong(line, "'" + word + "' is not an option; write name=value");
            }
        }
    }

    /**
     * Calls {@code known} with the name and the value of each option. If {@code known} throws an exception, the error
     * message contains the line number of the option.
     */
    void forEach(BiConsumer<String, String> known) {
        for (Option option : options) {
            try {
                known.accept(option.name, option.value);
            } catch (IllegalArgumentException e) {
                throw wrong(option.line, String.valueOf(e.getMessage()));
            }
        }
    }

    private IllegalArgumentException wrong(int line, String what) {
        return new IllegalArgumentException(file + ":" + line + ": " + what);
    }
}
