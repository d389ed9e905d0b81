// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Writes a man page for each command, in the macros of man(7). The man pages contain no date, so that repeated builds
 * write identical files.
 */
final class ManPages {
    private ManPages() {}

    /** Writes the man pages to the directory that the first command-line argument names. */
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        Files.createDirectories(directory);
        writeAll(Verbena.commandLine(), directory);
    }

    private static void writeAll(CommandLine command, Path directory) throws IOException {
        Files.writeString(directory.resolve(name(command.getCommandSpec()) + ".1"), page(command));
        for (CommandLine each : command.getSubcommands().values()) {
            writeAll(each, directory);
        }
    }

    /** The name of a command's man page: the full name of the command, with hyphens instead of spaces. */
    static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    private static String page(CommandLine command) {
        Help help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Help.Ansi.OFF));
        String description = help.description();
        StringBuilder page = new StringBuilder();
        page.append(".TH \"").append(name(command.getCommandSpec())).append("\" 1 \"\" \"verbena\"\n");
        page.append(".SH NAME\n").append(escape(name(command.getCommandSpec()) + " - " + first(description)));
        page.append(".SH SYNOPSIS\n.nf\n").append(escape(help.synopsis(0))).append(".fi\n");
        page.append(".SH DESCRIPTION\n").append(filled(description));
        page.append(help.commandSpec().positionalParameters().stream()
                .map(each -> entry(help.createDefaultParameterRenderer()
                        .render(each, help.createDefaultParamLabelRenderer(), help.colorScheme())))
                .collect(Collectors.joining()));
        page.append(".SH OPTIONS\n");
        OptionGroups.of(command.getCommandSpec()).forEach((heading, options) -> {
            page.append(".SS ").append(escape(heading));
            options.forEach(each -> page.append(entry(help.createDefaultOptionRenderer()
                    .render(each, help.createDefaultParamLabelRenderer(), help.colorScheme()))));
        });
        String footer = help.footer();
        if (!footer.isBlank()) {
            page.append(".SH EXAMPLE\n").append(filled(footer.strip().replaceFirst("^Example: ", "")));
        }
        return page.append(also(command)).toString();
    }

    private static String first(String description) {
        return description.lines().takeWhile(line -> !line.isBlank()).collect(Collectors.joining(" "));
    }

    /**
     * Creates the man page entry of one option from picocli's rows of text. The last cell of each row contains a part of
     * the option's description.
     */
    private static String entry(Text[][] rows) {
        String names = Arrays.stream(rows[0])
                .limit(rows[0].length - 1)
                .map(Text::toString)
                .collect(Collectors.joining(" "))
                .replaceAll(" +, ", ", ")
                .replace(" = ", "=")
                .strip();
        String text =
                Arrays.stream(rows).map(row -> row[row.length - 1].toString()).collect(Collectors.joining(" "));
        return ".TP\n" + escape(names) + escape(text.strip());
    }

    /** Escapes the text for man(7), and separates its paragraphs. */
    private static String filled(String text) {
        return text.lines().map(line -> line.isBlank() ? ".PP\n" : escape(line)).collect(Collectors.joining());
    }

    private static String escape(String text) {
        return text.lines()
                .map(line -> line.replace("\\", "\\e").replace("-", "\\-").replaceFirst("^(?=[.'])", "\\\\&") + "\n")
                .collect(Collectors.joining());
    }

    private static String also(CommandLine command) {
        CommandLine parent = command.getParent();
        List<String> names = Stream.concat(Stream.ofNullable(parent), command.getSubcommands().values().stream())
                .map(each -> escape(name(each.getCommandSpec()) + "(1)").strip())
                .toList();
        return names.isEmpty() ? "" : ".SH SEE ALSO\n" + String.join(",\n", names) + "\n";
    }
}
