// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

/**
 * Receives the SIDR_REP or the timeout of a {@link SentSidrRequest}. The methods of a {@code SidrEndpoint} must not call
 * the {@link CmEngine}, which is not reentrant, but may queue a call for later.
 */
public interface SidrEndpoint {
    void onReply(SentSidrRequest request, SidrReplyParameters reply);

    /** Called if no reply arrived for any transmission of a SIDR_REQ. */
    void onTimeout(SentSidrRequest request);
}
