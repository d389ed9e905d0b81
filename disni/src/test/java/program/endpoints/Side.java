// SPDX-License-Identifier: Apache-2.0
package program.endpoints;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.verbs.IbvWC;

/** One end of a connection, which is an endpoint of an active or of a passive group. */
interface Side {
    RdmaEndpoint endpoint();

    Memory memory();

    /** Returns the next completion. */
    IbvWC next() throws Exception;
}
