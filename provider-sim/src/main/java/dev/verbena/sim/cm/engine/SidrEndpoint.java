// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/**
 * The owner of a {@link SentSidrRequest}. The engine calls the methods of this interface, so they must not call the engine, only
 * defer work.
 */
public interface SidrEndpoint {
    void onReply(SentSidrRequest request, SidrReplyParameters reply);

    /** Receives the failure of a request, because all its tries remained unanswered. */
    void onTimeout(SentSidrRequest request);
}
