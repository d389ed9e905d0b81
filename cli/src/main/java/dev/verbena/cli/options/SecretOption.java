// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import dev.verbena.cli.output.Failures;
import dev.verbena.conformance.side.SharedSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The shared secret of a TCP control connection, read from a file or an environment variable. The secret is not a
 * command-line argument, because other users can read a process's command line.
 */
public final class SecretOption {
    private static final String VARIABLE = "VERBENA_SECRET";
    private static final int LONGEST = 4096;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "A file with the secret that client and server share. A listener on an address"
                    + " other than loopback requires a secret. Default: the environment variable " + VARIABLE + ".")
    private @Nullable Path file;

    /** Returns the absolute path of the file, or empty if the secret is in the environment variable. */
    public Optional<Path> file() {
        return Optional.ofNullable(file).map(Path::toAbsolutePath);
    }

    public Optional<SharedSecret> secret() {
        String from = file == null ? VARIABLE : "--secret-file '" + file + "'";
        try {
            @Nullable String text = file == null ? System.getenv(VARIABLE) : read(file);
            return Optional.ofNullable(text).map(SharedSecret::of);
        } catch (FileSystemException e) {
            throw wrong(from + " cannot be read: " + Failures.reason(e));
        } catch (IOException | IllegalArgumentException e) {
            throw wrong(from + ": " + e.getMessage());
        }
    }

    /** Returns the secret that a listener requires. A listener on an address other than loopback must have a secret. */
    public Optional<SharedSecret> secretAt(InetAddress at) {
        Optional<SharedSecret> secret = secret();
        if (secret.isEmpty() && !at.isLoopbackAddress()) {
            throw wrong("other machines can reach " + at.getHostAddress()
                    + "; pass the same secret at both ends, with --secret-file or " + VARIABLE);
        }
        return secret;
    }

    private static String read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new IOException("the file is longer than " + LONGEST + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
