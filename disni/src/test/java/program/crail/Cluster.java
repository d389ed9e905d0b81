// SPDX-License-Identifier: Apache-2.0
package program.crail;

import org.apache.crail.storage.StorageServer;

/** The namenode, Crail's datanode and a client as threads of one process. */
public final class Cluster {
    private Cluster() {}

    /** Without arguments: the configuration names the addresses. */
    public static void main(String[] args) throws Exception {
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
        while (!namenode.hasBlocks()) {
            if (!datanode.isAlive()) {
                throw new IllegalStateException("the datanode ended");
            }
            Thread.sleep(10);
        }
        Client.main(args);
    }
}
