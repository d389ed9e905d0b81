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
 * A secret that both ends of a control connection know, and the proof that an end knows the secret. The server sends a
 * challenge with a nonce. The client answers with its own nonce and the HMAC-SHA-256 of both nonces, and the server
 * replies with another HMAC of both. The secret itself is never sent. Each message is one line. Immutable.
 */
public final class SharedSecret {
    /** The length of the longest line of the proof in bytes, including its end. */
    public static final int LONGEST_LINE = 256;

    /** The shortest secret in bytes; a shorter one could be found by trying all secrets against one proof. */
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
     * {@return a secret, without the white space at both ends of the text, so that a file may end with a line feed}
     *
     * @param text the secret
     * @throws IllegalArgumentException if the secret has fewer than {@link #SHORTEST} bytes
     */
    public static SharedSecret of(String text) {
        byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
        if (bytes.length < SHORTEST) {
            throw new IllegalArgumentException("the secret has " + bytes.length + " bytes; it needs " + SHORTEST
                    + " or more, such as the output of 'openssl rand -hex 32'");
        }
        return new SharedSecret(bytes);
    }

    /** {@return a new challenge for one client, without an end of line} */
    public static String challenge() {
        return CHALLENGE + nonce();
    }

    /**
     * {@return whether a line of the server is a challenge, so that the server requires a secret}
     *
     * @param line a line of the server
     */
    public static boolean isChallenge(String line) {
        return line.startsWith(CHALLENGE);
    }

    /**
     * {@return the reply to a client; empty if the client does not know the secret}
     *
     * @param challenge the challenge that was sent to this client only
     * @param answer the line that the client sent
     */
    public Optional<String> check(String challenge, String answer) {
        Matcher parts = PROOF.matcher(answer);
        return parts.matches() && isEqual(mac("client", challenge, parts.group(1)), parts.group(2))
                ? Optional.of(mac("server", challenge, parts.group(1)))
                : Optional.empty();
    }

    /** Requires the proof of a client within the given time. */
    void require(Socket client, Duration patience) throws IOException {
        String challenge = challenge();
        write(client, challenge);
        Optional<String> reply = check(challenge, read(client, System.nanoTime() + patience.toNanos()));
        if (reply.isEmpty()) {
            throw new IOException("the client does not hold the secret");
        }
        write(client, reply.get());
    }

    /**
     * Proves to a server that this end holds the secret, and checks that the server does.
     *
     * @param server a connection to it, of which nothing has been read
     * @param patience the time limit for the lines of the server
     * @throws IOException if the server requires no secret, refuses this one, or does not hold it
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
            throw new IOException("the other end does not hold the same secret");
        }
    }

    private static void write(Socket to, String line) throws IOException {
        to.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** The line is read byte by byte, because another reader needs the bytes that follow it. */
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
        throw new IOException("the other end sends something else than the proof of a secret");
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
