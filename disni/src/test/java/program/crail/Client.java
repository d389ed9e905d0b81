// SPDX-License-Identifier: Apache-2.0
package program.crail;

import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;

/** Writes a file to Crail and reads it again, by Crail's client. */
public final class Client {
    private static final int BUFFERS = 24;
    private static final String PATH = "/file.dat";

    private Client() {}

    /** Without arguments: the configuration names the namenode. */
    public static void main(String[] args) throws Exception {
        CrailStore store = CrailStore.newInstance(new CrailConfiguration());
        long written = write(store);
        long wrong = read(store, written);
        System.out.println("bytes " + written + ", wrong " + wrong);
        store.close();
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static long write(CrailStore store) throws Exception {
        CrailFile file = store.create(
                        PATH, CrailNodeType.DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false)
                .get()
                .asFile();
        CrailOutputStream stream = file.getDirectOutputStream(0);
        CrailBuffer buffer = store.allocateBuffer();
        for (int i = 0; i < BUFFERS; i++) {
            buffer.clear();
            while (buffer.hasRemaining()) {
                buffer.putLong(valueAt(stream.position() + buffer.position()));
            }
            buffer.clear();
            stream.write(buffer).get();
        }
        long length = stream.position();
        stream.close();
        store.freeBuffer(buffer);
        return length;
    }

    /** Returns how many longs differ, or are missing. */
    private static long read(CrailStore store, long length) throws Exception {
        CrailFile file = store.lookup(PATH).get().asFile();
        CrailInputStream stream = file.getDirectInputStream(file.getCapacity());
        CrailBuffer buffer = store.allocateBuffer();
        long wrong = file.getCapacity() == length ? 0 : 1;
        while (stream.position() < length) {
            long begin = stream.position();
            buffer.clear();
            stream.read(buffer).get();
            buffer.flip();
            while (buffer.hasRemaining()) {
                long expected = valueAt(begin + buffer.position());
                wrong += buffer.getLong() == expected ? 0 : 1;
            }
        }
        stream.close();
        store.freeBuffer(buffer);
        return wrong;
    }

    private static long valueAt(long position) {
        return (position + 1) * 0x9E37_79B9_7F4A_7C15L;
    }
}
