// SPDX-License-Identifier: Apache-2.0
package program.darpc;

import com.ibm.darpc.DaRPCMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A number and a text that depends on it. */
public final class EchoMessage implements DaRPCMessage {
    static final int TEXT_BYTES = 40;

    long number;
    final byte[] text = new byte[TEXT_BYTES];

    void set(long value) {
        number = value;
        for (int i = 0; i < TEXT_BYTES; i++) {
            text[i] = (byte) (value * 31 + i);
        }
    }

    boolean is(long value) {
        EchoMessage expected = new EchoMessage();
        expected.set(value);
        return number == value && Arrays.equals(text, expected.text);
    }

    @Override
    public int write(ByteBuffer buffer) {
        buffer.putLong(number).put(text);
        return size();
    }

    @Override
    public void update(ByteBuffer buffer) {
        number = buffer.getLong();
        buffer.get(text);
    }

    @Override
    public int size() {
        return Long.BYTES + TEXT_BYTES;
    }
}
