// SPDX-License-Identifier: Apache-2.0
import dev.verbena.verbs.*;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** A program of today: it sends, and its device completes the send with status number 24. */
public class Old {
    public static void main(String[] arguments) throws Exception {
        Device device = VerbsProviders.named("loop").open("loop0");
        ProtectionDomain pd = device.allocatePd();
        MemorySegment memory = device.newArena().allocate(16);
        MemoryRegion region = pd.registerMemory(memory, AccessFlag.LOCAL_WRITE);
        CompletionQueue cq = device.createCq(CqInitAttributes.ofCapacity(16));
        QueuePair qp = pd.createQp(QpInitAttributes.rc(cq, QpCapabilities.of(8, 8)));
        QpConnector connector = QpConnector.of(qp);
        connector.connect(connector.local());
        ReceiveRequests receives = qp.newReceiveRequests(1);
        receives.get(0).clear().sge(region, 8, 8);
        qp.postAll(receives, 1);
        memory.setString(0, "hello");
        SendRequests sends = qp.newSendRequests(1);
        sends.get(0).send().signaled().sge(region, 0, 8);
        qp.postAll(sends, 1);
        WorkCompletions done = cq.newCompletions(2);
        cq.await(done, Duration.ofSeconds(5));
        for (int i = 0; i < done.count(); i++) {
            WorkCompletion completion = done.get(i);
            String kind = switch (completion.status()) {
                case SUCCESS -> "received";
                case WR_FLUSH_ERR -> "flushed";
                default -> "failed";
            };
            System.out.println(kind + " " + completion.status() + " " + completion.statusCode() + " " + memory.getString(8));
        }
        System.out.println(device.attributes().maxQp() + " queue pairs at most");
    }
}
