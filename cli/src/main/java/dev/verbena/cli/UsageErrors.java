// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** If arguments are wrong, prints an error message and the name of the help option instead of the whole usage. */
final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException error, String[] args) {
        CommandLine command = error.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + describe(error));
        command.getErr().println("Try '" + name + " --help'.");
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String describe(ParameterException error) {
        String text = error instanceof UnmatchedArgumentException unmatched ? describe(unmatched) : error.getMessage();
        return String.valueOf(text).replaceAll("\\R\\s*", " ");
    }

    private static String describe(UnmatchedArgumentException error) {
        String argument = error.getUnmatched().getFirst();
        String kind = error.isUnknownOption()
                ? "unknown option"
                : error.getCommandLine().getSubcommands().isEmpty() ? "too many arguments:" : "unknown command";
        List<String> suggestions = error.getSuggestions();
        return kind + " '" + argument + "'"
                + (suggestions.isEmpty() ? "" : "; did you mean " + String.join(" or ", suggestions) + "?");
    }
}
