// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Shell scripts in a network namespace of their own. */
final class Namespace {
    /** Makes an interface with the address 192.0.2.2, a broadcast address and an MTU of 1500, of a kind that the kernel has. */
    private static final String INTERFACES = """
            set -e
            ip link set lo up
            ip link add net0 type dummy 2>/dev/null || ip link add net0 type veth peer name net1 2>/dev/null ||
              ip tuntap add dev net0 mode tap
            ip addr add 192.0.2.2/24 broadcast + dev net0
            ip link set net0 up
            """;

    private static final int SECONDS = 150;

    private Namespace() {}

    /** Runs the script and returns its output. Skips the test on a machine without namespaces, which is a failure in CI. */
    static String run(Path folder, String script) throws Exception {
        boolean possible = isPossible();
        if (System.getenv("CI") == null) {
            assumeTrue(possible, "network namespaces with an interface need root, or user namespaces: unshare -rn");
        }
        assertThat(possible).as("unshare -rn").isTrue();
        Path file = Files.writeString(folder.resolve("script"), INTERFACES + script);
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder("unshare", "-rn", "sh", file.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
            String text = Files.readString(output);
            assertThat(ended).as(text).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** The shell command that starts a program in the background. The variable with the name has its process id. */
    static String background(String name, String command) {
        return "%1$s > %2$s.txt 2>&1 &\n%2$s=$!\n".formatted(command, name);
    }

    /** The shell command that waits for a line of the output of a program in the background, and fails if the program ends. */
    static String awaitLine(String name, String line) {
        return "until grep -qx '%2$s' %1$s.txt; do kill -0 $%1$s || { cat %1$s.txt; exit 1; }; sleep 0.1; done\n"
                .formatted(name, line);
    }

    static String shell(List<String> command) {
        return String.join(" ", command.stream().map(part -> "'" + part + "'").toList());
    }

    private static boolean isPossible() throws InterruptedException {
        try {
            Process tried = new ProcessBuilder("unshare", "-rn", "sh", "-c", INTERFACES).start();
            return tried.waitFor(10, TimeUnit.SECONDS) && tried.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
