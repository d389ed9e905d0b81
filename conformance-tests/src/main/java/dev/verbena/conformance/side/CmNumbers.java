package dev.verbena.conformance.side;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.verbs.RnrRetryCount;

/**
 * Parameters of a connection, as a record that can travel; see {@link ConnectionParameters}.
 *
 * @param privateData the user's bytes
 * @param responderResources READs and atomics that the sender serves at once
 * @param initiatorDepth READs and atomics that the sender may have outstanding
 * @param retryCount repetitions of a request
 * @param rnrRetryCount its code
 * @param qpNumber the queue pair of an id without one
 * @param qkey of datagrams
 */
public record CmNumbers(
        byte[] privateData,
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetryCount,
        int qpNumber,
        int qkey) {
    private static final CmNumbers USUAL = of(ConnectionParameters.builder().build());

    /** What a C program gets that passes no parameters. */
    public static CmNumbers usual() {
        return USUAL;
    }

    static CmNumbers of(ConnectionParameters from) {
        return new CmNumbers(
                from.privateData(),
                from.responderResources(),
                from.initiatorDepth(),
                from.retryCount(),
                from.rnrRetryCount().code(),
                from.qpNumber(),
                from.qkey());
    }

    ConnectionParameters toParameters() {
        return ConnectionParameters.builder()
                .privateData(privateData)
                .responderResources(responderResources)
                .initiatorDepth(initiatorDepth)
                .retryCount(retryCount)
                .rnrRetryCount(RnrRetryCount.ofCode(rnrRetryCount))
                .qpNumber(qpNumber)
                .qkey(qkey)
                .build();
    }

    public CmNumbers withPrivateData(byte[] value) {
        return new CmNumbers(value, responderResources, initiatorDepth, retryCount, rnrRetryCount, qpNumber, qkey);
    }

    public CmNumbers withDepths(int resources, int depth) {
        return new CmNumbers(privateData, resources, depth, retryCount, rnrRetryCount, qpNumber, qkey);
    }

    public CmNumbers withRetries(int retries, int rnrRetries) {
        return new CmNumbers(privateData, responderResources, initiatorDepth, retries, rnrRetries, qpNumber, qkey);
    }

    public CmNumbers withQpNumber(int value) {
        return new CmNumbers(privateData, responderResources, initiatorDepth, retryCount, rnrRetryCount, value, qkey);
    }
}
