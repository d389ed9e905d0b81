// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/**
 * Receives the answer or the timeout of a {@link SentSidrRequest}. The methods of a {@code SidrEndpoint} must not call
 * the {@link CmEngine}, which is not reentrant, but may queue work that calls the {@code CmEngine} later.
 */
public interface SidrEndpoint {
    void onReply(SentSidrRequest request, SidrReplyParameters reply);

    /** Called if the peer has answered no transmission of a SIDR_REQ. */
    void onTimeout(SentSidrRequest request);
}
