// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/**
 * Receives the answer or the timeout of a {@link SentSidrRequest}. The connection manager's engine is not reentrant: an
 * implementation must not call the engine, but may queue work that calls the engine later.
 */
public interface SidrEndpoint {
    void onReply(SentSidrRequest request, SidrReplyParameters reply);

    /** Called if all tries of a request remained unanswered. */
    void onTimeout(SentSidrRequest request);
}
