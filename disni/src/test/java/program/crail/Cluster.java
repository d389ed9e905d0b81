// SPDX-License-Identifier: Apache-2.0
package program.crail;

/** The namenode, Crail's datanode and a client as threads of one process. */
public final class Cluster {
    private Cluster() {}

    /** Without arguments: the configuration names the addresses. */
    public static void main(String[] args) throws Exception {
        Servers.start(args);
        Client.main(args);
    }
}
