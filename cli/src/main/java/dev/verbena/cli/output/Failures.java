// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.output;

import com.google.inject.ProvisionException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine.ExecutionException;

/** Formats an exception as one line of text. */
public final class Failures {
    private Failures() {}

    public static String describe(Throwable failure) {
        String text = switch (failure) {
            case ProvisionException e when e.getCause() != null -> describe(e.getCause());
            case FileSystemException e -> e.getFile() + ": " + reason(e);
            case InterruptedException e -> "interrupted";
            case OutOfMemoryError e -> "out of memory: " + e.getMessage();
            case ExecutionException e when e.getCause() != null -> describe(e.getCause());
            case RuntimeException e -> "unexpected " + e + "; --verbose shows where";
            case Error e -> "unexpected " + e + "; --verbose shows where";
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
        return text.replaceAll("\\R\\s*", " ");
    }

    /** Describes the failure, because the message of a {@code FileSystemException} is often only a file name. */
    public static String reason(FileSystemException failure) {
        return switch (failure) {
            case NoSuchFileException e -> "no such file or directory";
            case AccessDeniedException e -> "permission denied";
            default -> failure.getReason() == null ? failure.toString() : failure.getReason();
        };
    }
}
