// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

/**
 * The SIDR_REQ, which requests the UD queue pair of a service (InfiniBand Architecture Specification, volume 1, section
 * 12.11).
 */
public final class SidrRequest extends CmMessage<SidrRequest> {
    private static final FieldTable<SidrRequest> TABLE = new FieldTable<>();

    /** The ID that the sender has chosen for this SIDR_REQ. */
    public static final Field<SidrRequest> REQUEST_ID = TABLE.field("requestId", 24, 32);

    /** The P_Key of the requested queue pair. */
    public static final Field<SidrRequest> PARTITION_KEY = TABLE.field("partitionKey", 28, 16);

    /** The ID of the requested service; see {@link ServiceId}. */
    public static final Field<SidrRequest> SERVICE_ID = TABLE.field("serviceId", 32, 64);

    /** Creates a flyweight for a message. Call {@link #wrap} before any other method. */
    public SidrRequest() {
        super(CmAttribute.SIDR_REQ, TABLE, 40);
    }
}
