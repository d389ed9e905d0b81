// SPDX-License-Identifier: Apache-2.0
package program.crail;

import org.apache.crail.storage.StorageServer;

/** The namenode and Crail's datanode as threads of one process. */
public final class Servers {
    private Servers() {}

    /** Without arguments: the configuration names the addresses. The namenode prints a line once the datanode has registered its blocks. */
    public static void main(String[] args) throws Exception {
        try {
            start(args).join();
        } catch (Exception failed) {
            failed.printStackTrace();
            System.exit(1); // Threads of the namenode would keep the process.
        }
    }

    /** Starts the namenode and the datanode, and returns the datanode once it has registered its blocks. */
    static Thread start(String[] args) throws Exception {
        NameNode namenode = new NameNode();
        NameNode.start(namenode);
        Thread datanode = new Thread(
                () -> {
                    try {
                        StorageServer.main(args);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                "datanode");
        datanode.start();
        namenode.awaitBlocks(datanode);
        return datanode;
    }
}
