// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Type;
import java.net.Socket;
import java.time.Duration;

/**
 * A TCP connection on which a test process sends {@link Step} records and a conformance agent sends {@link Reply} records,
 * each preceded by its length. Each process first sends a handshake message: a magic number, the protocol version, a hash
 * of these record types, and a handshake string ({@link Introduction}). The handshake fails between incompatible builds.
 */
final class ControlChannel implements AutoCloseable {
    private static final int WORD = 0x5645_5242;
    private static final int VERSION = 3;

    /**
     * The maximum length in bytes of a serialized {@link Step} or {@link Reply}. In a conformance test, the longest of them
     * have several thousand bytes.
     */
    static final int MOST_FRAME = 4 << 20;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final String introduction;

    /** Sends the handshake message with the string {@code ours}, and waits for the peer's handshake message. */
    ControlChannel(Socket socket, Duration patience, String ours) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(millis(patience));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        out.writeInt(WORD);
        out.writeInt(VERSION);
        out.writeInt(RecordCodec.shape());
        out.writeUTF(ours);
        out.flush();
        if (in.readInt() != WORD) {
            throw new IOException(socket.getRemoteSocketAddress() + " is not a conformance agent, or requires a"
                    + " secret: pass it with --secret-file");
        }
        int version = in.readInt();
        int shape = in.readInt();
        if (version != VERSION || shape != RecordCodec.shape()) {
            throw new IOException(socket.getRemoteSocketAddress() + " uses version " + version + " with steps of shape "
                    + Integer.toHexString(shape) + ", this side version " + VERSION + " with "
                    + Integer.toHexString(RecordCodec.shape()) + "; run the same build on both");
        }
        introduction = in.readUTF();
    }

    String introduction() {
        return introduction;
    }

    private static int millis(Duration time) {
        return Math.max(1, Math.toIntExact(time.toMillis()));
    }

    void send(Type type, Object value) throws IOException {
        // `value` is encoded completely before the first byte is sent, so that after an encoding error nothing is sent.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RecordCodec.write(type, value, new DataOutputStream(bytes));
        if (bytes.size() > MOST_FRAME) {
            throw new IOException("a record of " + bytes.size() + " bytes does not fit a frame of " + MOST_FRAME);
        }
        out.writeInt(bytes.size());
        bytes.writeTo(out);
        out.flush();
    }

    Object receive(Type type, Duration patience) throws IOException {
        socket.setSoTimeout(millis(patience));
        int length = in.readInt();
        if (length < 0 || length > MOST_FRAME) {
            throw new IOException("a frame of " + length + " bytes is longer than " + MOST_FRAME);
        }
        // The memory that `readNBytes` allocates grows with the received bytes, so a peer cannot exhaust it with a
        // false length field.
        byte[] frame = in.readNBytes(length);
        if (frame.length < length) {
            throw new EOFException("the frame ends after " + frame.length + " of " + length + " bytes");
        }
        DataInputStream record = new DataInputStream(new ByteArrayInputStream(frame));
        Object value = RecordCodec.read(type, record);
        if (record.available() > 0) {
            throw new IOException(record.available() + " bytes follow the record in its frame");
        }
        return value;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
