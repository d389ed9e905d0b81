// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret with which the client and the server of a TCP control connection authenticate each other. The server sends a
 * line with a nonce, which is the challenge. The client replies with its own nonce and the HMAC-SHA-256 of both nonces; the
 * server replies with a different HMAC of both nonces. The secret itself is never sent over the connection. Each message is
 * one line. Immutable.
 */
public final class SharedSecret {
    /** The maximum length in bytes of the line of a challenge or reply. The length includes the line end. */
    public static final int LONGEST_LINE = 256;

    /**
     * The minimum length of a secret in bytes. An observer of one authentication could find a shorter secret by an
     * exhaustive search.
     */
    public static final int SHORTEST = 16;

    private static final String CHALLENGE = "verbena secret 1: ";
    private static final int NONCE = 32;
    private static final Pattern NONCE_HEX = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern PROOF = Pattern.compile("([0-9a-f]{64}) ([0-9a-f]{64})");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    private SharedSecret(byte[] secret) {
        key = new SecretKeySpec(secret, "HmacSHA256");
    }

    /**
     * {@return a secret from a string; white space at both ends of the string is removed, so that a file may end with a
     * line feed}
     *
     * @param text the secret
     * @throws IllegalArgumentException if the secret is shorter than {@link #SHORTEST} bytes
     */
    public static SharedSecret of(String text) {
        byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
        if (bytes.length < SHORTEST) {
            throw new IllegalArgumentException("the secret has " + bytes.length + " bytes; it needs " + SHORTEST
                    + " or more, such as the output of 'openssl rand -hex 32'");
        }
        return new SharedSecret(bytes);
    }

    /** {@return a line with a new nonce, without a line feed at the end. A server sends the line as a challenge} */
    public static String challenge() {
        return CHALLENGE + nonce();
    }

    /**
     * {@return whether a line from the server is a challenge, which means that the server requires a secret}
     *
     * @param line a line of the server
     */
    public static boolean isChallenge(String line) {
        return line.startsWith(CHALLENGE);
    }

    /**
     * {@return the server's reply to the client; empty if the client does not know the secret}
     *
     * @param challenge the challenge, which was sent only to this client
     * @param answer the client's reply to {@code challenge}: one line with the client's nonce and HMAC
     */
    public Optional<String> check(String challenge, String answer) {
        Matcher parts = PROOF.matcher(answer);
        return parts.matches() && isEqual(mac("client", challenge, parts.group(1)), parts.group(2))
                ? Optional.of(mac("server", challenge, parts.group(1)))
                : Optional.empty();
    }

    /**
     * As the server, checks that the client knows the secret. Throws IOException if no valid HMAC arrives from the client
     * within the given time.
     */
    void require(Socket client, Duration patience) throws IOException {
        String challenge = challenge();
        write(client, challenge);
        Optional<String> reply = check(challenge, read(client, System.nanoTime() + patience.toNanos()));
        if (reply.isEmpty()) {
            throw new IOException("the client does not know the secret");
        }
        write(client, reply.get());
    }

    /**
     * As the client, authenticates this process to a server by the secret, and checks that the server knows the secret.
     *
     * @param server a connection to the server; the caller must not have read from the connection
     * @param patience the maximum time that this client waits for the two lines from the server
     * @throws IOException if the server requires no secret, rejects the client's HMAC, or does not send a valid HMAC in
     *     time
     */
    public void prove(Socket server, Duration patience) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        String challenge = read(server, end);
        if (!isChallenge(challenge)
                || !NONCE_HEX.matcher(challenge.substring(CHALLENGE.length())).matches()) {
            throw new IOException("the other end requires no secret; start it with the same --secret-file");
        }
        String ours = nonce();
        write(server, ours + " " + mac("client", challenge, ours));
        String reply;
        try {
            reply = read(server, end);
        } catch (EOFException refused) {
            throw new IOException("the other end refuses the secret", refused);
        }
        if (!isEqual(mac("server", challenge, ours), reply)) {
            throw new IOException("the other end does not know the same secret");
        }
    }

    private static void write(Socket to, String line) throws IOException {
        to.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** The line is read byte by byte, because another reader needs the bytes that follow the line. */
    private static String read(Socket from, long end) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (line.size() < LONGEST_LINE) {
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                throw new SocketTimeoutException("the other end does not send its proof of the secret in time");
            }
            from.setSoTimeout(Math.clamp(left, 1, Integer.MAX_VALUE));
            int next = from.getInputStream().read();
            if (next == '\n') {
                return line.toString(StandardCharsets.US_ASCII);
            }
            if (next < 0) {
                throw new EOFException("the other end closed the connection during the proof of the secret");
            }
            line.write(next);
        }
        throw new IOException("the other end sent data that is not a proof of the secret");
    }

    private static String nonce() {
        byte[] bytes = new byte[NONCE];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private String mac(String end, String challenge, String nonce) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            byte[] text = (end + " " + challenge + " " + nonce).getBytes(StandardCharsets.US_ASCII);
            return HexFormat.of().formatHex(mac.doFinal(text));
        } catch (GeneralSecurityException absent) {
            throw new IllegalStateException("every Java platform has HmacSHA256", absent);
        }
    }

    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
}
