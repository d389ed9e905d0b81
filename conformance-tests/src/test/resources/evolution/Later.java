// SPDX-License-Identifier: Apache-2.0
import dev.verbena.verbs.*;

/** A program of the later release: it calls what was added, over a provider of today. */
public class Later {
    interface Call {
        Object call() throws Exception;
    }

    static void print(String name, Call call) throws Exception {
        try {
            System.out.println(name + ": " + call.call());
        } catch (CapabilityException refusal) {
            System.out.println(name + ": " + refusal.errno() + " " + refusal.capability());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Device device = VerbsProviders.named("loop").open("loop0");
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(16));
        QueuePair qp = device.allocatePd().createQp(QpInitAttributes.rc(cq, QpCapabilities.of(8, 8)));
        print("Device.laterQuery", device::laterQuery);
        print("QueuePair.laterOrder", qp::laterOrder);
        print("CompletionQueue.laterCount", cq::laterCount);
        print("DeviceAttributes.laterLimit", device.attributes()::laterLimit);
        print("capability", () -> device.capabilities().contains(Capability.LATER));
    }
}
