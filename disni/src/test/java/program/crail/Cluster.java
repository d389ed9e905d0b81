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
        namenode.awaitBlocks(datanode);
        Client.main(args);
    }
}
