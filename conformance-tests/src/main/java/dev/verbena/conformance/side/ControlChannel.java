package dev.verbena.conformance.side;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Type;
import java.net.Socket;
import java.time.Duration;

/**
 * A TCP connection that carries records, one of each side in turn. It begins with a hello of both: a word, the version, and
 * the shape of the records, so that two builds that would misunderstand each other say so at once; then their introductions.
 */
final class ControlChannel implements AutoCloseable {
    private static final int WORD = 0x5645_5242;
    private static final int VERSION = 2;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** Says hello and waits for the other's. */
    ControlChannel(Socket socket, Duration patience, Introduction introduction) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(millis(patience));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        out.writeInt(WORD);
        out.writeInt(VERSION);
        out.writeInt(RecordCodec.shape());
        out.writeUTF(introduction.ours());
        out.flush();
        if (in.readInt() != WORD) {
            throw new IOException(socket.getRemoteSocketAddress() + " is no conformance agent");
        }
        int version = in.readInt();
        int shape = in.readInt();
        if (version != VERSION || shape != RecordCodec.shape()) {
            throw new IOException(
                    socket.getRemoteSocketAddress() + " speaks version " + version + " with steps of shape "
                            + Integer.toHexString(shape) + ", this side version " + VERSION + " with "
                            + Integer.toHexString(RecordCodec.shape()) + "; run the same build on both");
        }
        introduction.met(in.readUTF());
    }

    private static int millis(Duration time) {
        return Math.max(1, Math.toIntExact(time.toMillis()));
    }

    void send(Type type, Object value) throws IOException {
        // Whole or not at all: a value that cannot be written leaves nothing on the channel.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RecordCodec.write(type, value, new DataOutputStream(bytes));
        bytes.writeTo(out);
        out.flush();
    }

    Object receive(Type type, Duration patience) throws IOException {
        socket.setSoTimeout(millis(patience));
        return RecordCodec.read(type, in);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
