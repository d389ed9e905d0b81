// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace of Linux with a loopback interface that has a second address. It ends with this object. Where
 * namespaces are not permitted, the test is skipped; in a build with CI=true it fails.
 */
final class NetworkNamespace implements AutoCloseable {
    /** An address of the machine that is not a loopback address. */
    static final String OTHER_ADDRESS = "10.77.0.1";

    /** Packets to the second address come from a third one, as if from another machine. */
    private static final String SET_UP = """
            ip link set lo up &&
            ip address add 10.77.0.1/32 dev lo &&
            ip address add 10.77.0.2/32 dev lo &&
            ip route replace local 10.77.0.1 dev lo table local proto kernel scope host src 10.77.0.2 &&
            echo up &&
            exec cat
            """;

    /** The state of a listening socket in the kernel's tables: TCP_LISTEN, and TCP_CLOSE for UDP without a peer. */
    private static final Map<String, String> LISTENING = Map.of("tcp", "0A", "tcp6", "0A", "udp", "07", "udp6", "07");

    private final Process holder;

    /**
     * A socket that receives from any peer.
     *
     * @param protocol tcp, tcp6, udp or udp6
     * @param at its address
     */
    record Listener(String protocol, InetSocketAddress at) {
        boolean isTcp() {
            return protocol.startsWith("tcp");
        }
    }

    private NetworkNamespace(Process holder) {
        this.holder = holder;
    }

    static NetworkNamespace open() throws IOException {
        String reason;
        try {
            Process holder = new ProcessBuilder("unshare", "--map-root-user", "--net", "sh", "-c", SET_UP)
                    .redirectErrorStream(true)
                    .start();
            String line = holder.inputReader().readLine();
            if ("up".equals(line)) {
                return new NetworkNamespace(holder);
            }
            reason = line == null ? "unshare has ended" : line;
        } catch (IOException absent) {
            reason = String.valueOf(absent.getMessage());
        }
        String message = "no network namespace: " + reason;
        if (Boolean.parseBoolean(System.getenv("CI"))) {
            throw new AssertionError(message + "; it needs unshare, nsenter and ip, and the permission to use them");
        }
        return abort(message);
    }

    /** The command that runs another one in the namespace. */
    List<String> enter(List<String> command) {
        List<String> all = new ArrayList<>(
                List.of("nsenter", "--target", Long.toString(holder.pid()), "--user", "--preserve-credentials"));
        all.addAll(List.of("--net", "--"));
        all.addAll(command);
        return all;
    }

    /** Starts a script of bash, which has connections as files. */
    Process bash(String script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(enter(command)).redirectErrorStream(true).start();
    }

    boolean connects(String address, int port) throws Exception {
        Process probe = bash(": <> \"/dev/tcp/$1/$2\"", address, Integer.toString(port));
        assertThat(probe.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return probe.exitValue() == 0;
    }

    List<Listener> listeners() throws IOException {
        List<Listener> all = new ArrayList<>();
        for (Map.Entry<String, String> table : LISTENING.entrySet()) {
            Path file = Path.of("/proc/" + holder.pid() + "/net/" + table.getKey());
            for (String line : Files.readAllLines(file).stream().skip(1).toList()) {
                String[] cells = line.strip().split(" +");
                if (cells[3].equals(table.getValue())) {
                    all.add(new Listener(table.getKey(), address(cells[1])));
                }
            }
        }
        return all;
    }

    /** Reads an address of the kernel's tables: hexadecimal words in the byte order of the machine, and a port. */
    private static InetSocketAddress address(String text) throws UnknownHostException {
        String[] parts = text.split(":", -1);
        ByteBuffer words = ByteBuffer.wrap(HexFormat.of().parseHex(parts[0]));
        ByteBuffer bytes = ByteBuffer.allocate(words.capacity()).order(ByteOrder.nativeOrder());
        while (words.hasRemaining()) {
            bytes.putInt(words.getInt());
        }
        return new InetSocketAddress(InetAddress.getByAddress(bytes.array()), Integer.parseInt(parts[1], 16));
    }

    @Override
    public void close() throws IOException {
        holder.destroyForcibly();
        holder.inputReader().close();
    }
}
