// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.verbs.RnrRetryCount;

/**
 * A copy of {@link ConnectionParameters}, as a Java record that can be sent to or by a conformance agent.
 *
 * @param qpNumber the QPN of the queue pair to connect, if the connection id has no queue pair of its own
 */
public record CmNumbers(byte[] privateData, Depths depths, Retries retries, int qpNumber, int qkey) {
    public record Depths(int responderResources, int initiatorDepth) {}

    public record Retries(int count, int rnrCode) {}

    private static final CmNumbers USUAL = of(ConnectionParameters.builder().build());

    /** The connection parameters of an application that passes no parameters to {@code rdma_connect}. */
    public static CmNumbers usual() {
        return USUAL;
    }

    static CmNumbers of(ConnectionParameters from) {
        return new CmNumbers(
                from.privateData(),
                new Depths(from.responderResources(), from.initiatorDepth()),
                new Retries(from.retryCount(), from.rnrRetryCount().code()),
                from.qpNumber(),
                from.qkey());
    }

    ConnectionParameters toParameters() {
        return ConnectionParameters.builder()
                .privateData(privateData)
                .responderResources(depths.responderResources)
                .initiatorDepth(depths.initiatorDepth)
                .retryCount(retries.count)
                .rnrRetryCount(RnrRetryCount.ofCode(retries.rnrCode))
                .qpNumber(qpNumber)
                .qkey(qkey)
                .build();
    }

    public CmNumbers withPrivateData(byte[] value) {
        return new CmNumbers(value, depths, retries, qpNumber, qkey);
    }

    public CmNumbers withDepths(int resources, int depth) {
        return new CmNumbers(privateData, new Depths(resources, depth), retries, qpNumber, qkey);
    }

    public CmNumbers withRetries(int count, int rnrCode) {
        return new CmNumbers(privateData, depths, new Retries(count, rnrCode), qpNumber, qkey);
    }

    public CmNumbers withQpNumber(int value) {
        return new CmNumbers(privateData, depths, retries, value, qkey);
    }
}
