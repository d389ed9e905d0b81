// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs: devices, protection domains, memory regions, queues, work requests and completions.
 *
 * <p>Classes and methods have the names of the InfiniBand specification and of libibverbs, without abbreviations. The
 * package {@code dev.verbena.verbs} has interfaces and immutable values. A provider implements the interfaces of this
 * package. The classes of immutable values perform no I/O and use no threads.
 *
 * <h2>The verbs objects of a program</h2>
 *
 * <p>A program creates the following verbs objects in this order. {@link VerbsScope} closes them in the reverse order of
 * their creation.
 *
 * <ol>
 *   <li>{@link VerbsProviders#named} finds a provider: {@code sim} for software devices, {@code ibverbs} for the RDMA
 *       devices of libibverbs on this host.
 *   <li>{@link VerbsProvider#open} opens a {@link Device}.
 *   <li>{@link Device#allocatePd} allocates a {@link ProtectionDomain}, which groups queue pairs with the memory that
 *       these queue pairs may use.
 *   <li>{@link ProtectionDomain#registerMemory} creates a {@link MemoryRegion} over memory that the device may access.
 *   <li>{@link Device#createCq} creates a {@link CompletionQueue}, from which the program polls the results of its requests.
 *   <li>{@link ProtectionDomain#createQp} creates a {@link QueuePair}. A connection consists of two queue pairs.
 *   <li>{@link QpConnector} connects the queue pair to a peer, after the two programs have exchanged their connection data
 *       (LID, QPN, PSN, GID). The package {@link dev.verbena.cm} connects queue pairs by IP address and rdma_cm port, so
 *       that programs need not exchange connection data.
 *   <li>{@link ReceiveRequests} and {@link SendRequests} are batches of work requests. Post receives before the peer sends.
 *   <li>{@link CompletionQueue#await} waits for completions. Check {@link WorkCompletion#isSuccess} of each completion, because a
 *       failed request also completes. {@link WorkCompletion#explain} reports the cause of a failure.
 * </ol>
 *
 * <h2>Failures</h2>
 *
 * <p>Calls of the control path throw {@link dev.verbena.verbs.VerbsException} with an errno. A post returns the number
 * of requests that it accepted, and never throws for a full queue. For an error that no peer can cause, such as the use
 * of a closed object or an index out of range, a method throws an unchecked exception.
 *
 * <h2>Enum constants of later releases</h2>
 *
 * <p>Later Verbena releases may add constants to the enums of statuses, opcodes, events, states and types. If a device
 * reports a value for which the enum has no constant, the API returns {@code UNKNOWN}. A method such as {@link
 * WorkCompletion#statusCode} returns the reported value, even if the enum has no constant for it. A {@code switch} over an
 * enum with UNKNOWN needs a {@code default} branch, even if its cases list all constants of this release.
 *
 * <h2>Visibility</h2>
 *
 * <p>A device reads and writes memory while threads of the program run. The Java memory model does not include devices, so
 * the following rules extend it. In a rule, a thread "sees" bytes if a plain read returns them, unless the rule specifies
 * another read.
 *
 * <ul>
 *   <li><b>Posting.</b> The device sees every store that happens before the call of {@link QueuePair#postSend}. The program must
 *       not change the memory of a posted request until the request completes. The post of a request with
 *       {@link SendWorkRequest#inline()} copies the data.
 *   <li><b>Polling a completion.</b> A thread that polls a successful completion with {@link CompletionQueue#poll} sees all
 *       bytes that the device wrote for the request. For a receive, the device writes the message. For an RDMA READ or an
 *       atomic operation, the device writes the result. The completion of a receive also makes the data of an RDMA WRITE
 *       with immediate data visible. On an RC connection, a polled receive completion also makes the data of all RDMA
 *       WRITEs visible that the peer posted before the received message (IBTA volume 1, 9.5, o9-20). After a completion
 *       with an error, the contents of the request's buffer are undefined.
 *   <li><b>The completion of an RDMA WRITE at its sender.</b> After an RDMA WRITE has completed, the sender may change the
 *       send buffer, and a later RDMA READ returns the written bytes. The completion of an RDMA WRITE alone does not make
 *       the written bytes visible to the peer's threads.
 *   <li><b>Completion events.</b> Neither an event of a {@link CompletionChannel} nor the call of a {@link
 *       CompletionHandler} makes received data visible to a thread. A thread sees the received data after the thread has
 *       polled the completion by {@code poll}.
 *   <li><b>One thread polls, another thread reads.</b> A thread that reads received data sees this data if the poll of the
 *       completion <em>happens before</em> the read, as the Java memory model defines it. A lock, a concurrent queue, a
 *       volatile variable, or {@code setRelease} with {@code getAcquire} creates a <em>happens-before</em> order. Without a
 *       <em>happens-before</em> order between the poll and the read, the read may return old bytes.
 *   <li><b>Peers that read.</b> An RDMA READ of a peer may return any mixture of old and new bytes if the bytes change
 *       during the READ. A thread can store data, and then set a flag with {@code setRelease}. If the peer reads the set
 *       flag and then posts a second RDMA READ, the second RDMA READ returns the data stored before the flag.
 * </ul>
 *
 * <h3>Memory that is polled</h3>
 *
 * <p>A thread can detect a peer's RDMA WRITE without a completion: the thread polls the memory that the WRITE changes.
 * Three conditions apply:
 *
 * <ol>
 *   <li>The peer writes a flag by a separate message, after the data and on the same reliable queue pair. <b>The order
 *       of the bytes inside one message is not defined</b> unless {@link QueuePair#isDataInOrder} reports an order for
 *       the queue pair. The device may write the last byte of a message first, so a flag in this byte does not prove
 *       that the data is complete.
 *   <li>A flag in polled memory is one byte long, or eight bytes long if an atomic operation changes the flag. If an RDMA
 *       WRITE changes a flag of several bytes, the device may write the bytes of the flag at different times.
 *   <li>The thread reads the flag with {@code getAcquire}, and the data afterwards. If a loop polls the flag by plain
 *       reads, the compiler may move the read of the flag out of the loop. If the flag is read by a plain read, the
 *       compiler or the processor may read the data before the flag.
 * </ol>
 *
 * <pre>{@code
 * // Once: access to the flag.
 * static final VarHandle FLAG = ValueLayout.JAVA_BYTE.varHandle();
 * // The sender posts two RDMA WRITEs, the data and then the flag, in one batch.
 * sends.get(0).rdmaWrite(mailbox, rkey).sge(region, 0, length);
 * sends.get(1).rdmaWrite(mailbox + length, rkey).signaled().sge(region, length, 1);
 * qp.postAll(sends, 2);
 * // The receiver polls the flag, then reads the data.
 * while ((byte) FLAG.getAcquire(memory, length) != turn) {
 *     Thread.onSpinWait();
 * }
 * byte first = memory.get(ValueLayout.JAVA_BYTE, 0); }</pre>
 *
 * <p>If a region lacks {@link AccessFlag#RELAXED_ORDERING}, {@code ibv_reg_mr(3)} guarantees that RDMA WRITEs reach memory
 * in the order of their posts. The IBTA specification does not guarantee the order of two RDMA WRITEs in memory. By the
 * compliance statement o9-20 of IBTA volume 1, a receive completion permits the receiver to read the data of the sender's
 * earlier RDMA WRITEs. The statement o9-20 also permits a notification by an atomic operation that follows the RDMA WRITE
 * and changes a flag. A receiver that sees the change of the flag may read the data of the RDMA WRITE. On every device, the
 * sender can notify the receiver by {@link SendWorkRequest#rdmaWriteWithImmediate}, or by a flag that the sender sets with
 * {@link SendWorkRequest#fetchAndAdd}. The receiver polls either the completion queue or the flag in memory.
 *
 * <p><b>{@link AccessFlag#RELAXED_ORDERING}</b> permits the device to write to the region in any order, inside a message
 * and between messages. After two RDMA WRITEs to the same bytes, the bytes of either WRITE can remain. A thread must not
 * poll a flag in a region with relaxed ordering, because the flag can become visible before the data. Even with relaxed
 * ordering, a successful completion makes the received data visible to the polling thread. Even in a region with relaxed
 * ordering, an atomic operation takes effect only after the data of the connection's earlier RDMA WRITEs is in memory.
 *
 * <p>The software device uses release and acquire operations to implement the rules of memory visibility. The jcstress
 * tests of the software device search for violations of the visibility rules, and have run only on x86-64. The jcstress
 * tests would not find a violation that occurs only on aarch64, which reorders more memory accesses.
 *
 * @since 1.0
 */
package dev.verbena.verbs;
