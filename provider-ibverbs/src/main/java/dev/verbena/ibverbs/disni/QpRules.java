// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;

/** Checks the attributes of a new queue pair, and converts them to DiSNI's classes. */
final class QpRules {
    private static final String VERB = "rdma_create_qp";

    private final Device device;
    private final DisniContext context;
    private final QpInitAttributes attributes;

    QpRules(Device device, DisniContext context, QpInitAttributes attributes) {
        this.device = device;
        this.context = context;
        this.attributes = attributes;
    }

    void check() throws VerbsException {
        if (attributes.type() != QpType.RC) {
            device.require(attributes.type() == QpType.UC ? Capability.UC : Capability.UD, VERB);
        }
        if (attributes.srq() != null) {
            device.require(Capability.SRQ, VERB);
        }
        DeviceAttributes limits = device.attributes();
        QpCapabilities depths = attributes.capabilities();
        if (depths.maxSendWr() > limits.maxQpWr()
                || depths.maxReceiveWr() > limits.maxQpWr()
                || depths.maxSendSge() > limits.maxSge()
                || depths.maxReceiveSge() > limits.maxSge()) {
            throw Refusals.invalid(
                    VERB,
                    depths + " on " + device + ", where a queue has at most " + limits.maxQpWr() + " requests of "
                            + limits.maxSge() + " entries, as DiSNI creates them");
        }
    }

    DisniCq own(CompletionQueue queue) throws VerbsException {
        DisniCq own = Refusals.own(DisniCq.class, queue, VERB, device);
        if (!own.opened().isSameAs(context)) {
            throw Refusals.invalid(VERB, own + " belongs to another device than " + device);
        }
        return own;
    }

    IbvQPInitAttr toDisni(DisniCq sendCq, DisniCq receiveCq) {
        IbvQPInitAttr raw = new IbvQPInitAttr();
        raw.setQp_type(IbvQP.IBV_QPT_RC);
        raw.setSend_cq(sendCq.cq());
        raw.setRecv_cq(receiveCq.cq());
        QpCapabilities depths = attributes.capabilities();
        raw.cap().setMax_send_wr(depths.maxSendWr());
        raw.cap().setMax_recv_wr(depths.maxReceiveWr());
        raw.cap().setMax_send_sge(depths.maxSendSge());
        raw.cap().setMax_recv_sge(depths.maxReceiveSge());
        raw.cap().setMax_inline_data(depths.maxInlineData());
        return raw;
    }
}
