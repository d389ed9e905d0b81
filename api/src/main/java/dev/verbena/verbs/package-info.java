// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs: devices, protection domains, memory regions, queues, work requests and completions.
 *
 * <p>Classes and methods have the names of the InfiniBand specification and of libibverbs, without abbreviations. The package
 * {@code dev.verbena.verbs} has interfaces, which providers implement, and immutable values, which use no I/O and no threads.
 *
 * <h2>The objects of a program</h2>
 *
 * <p>A program creates the following objects in this order. {@link VerbsScope} closes the objects in the reverse order of
 * their creation.
 *
 * <ol>
 *   <li>{@link VerbsProviders#named} finds a provider: {@code sim} is the software device, and {@code ibverbs} is the provider
 *       of the machine's devices.
 *   <li>{@link VerbsProvider#open} opens a {@link Device}.
 *   <li>{@link Device#allocatePd} allocates a {@link ProtectionDomain}, which groups queue pairs with the memory that
 *       these queue pairs may use.
 *   <li>{@link ProtectionDomain#registerMemory} creates a {@link MemoryRegion} over memory that the device may access.
 *   <li>{@link Device#createCq} creates a {@link CompletionQueue}, from which the program polls the results of its requests.
 *   <li>{@link ProtectionDomain#createQp} creates a {@link QueuePair}, one end of a connection.
 *   <li>{@link QpConnector} connects the queue pair to a peer, after the two programs have exchanged the numbers of
 *       their queue pairs. The package {@link dev.verbena.cm} connects queue pairs by IP address and port, so that
 *       programs need not exchange the numbers of queue pairs.
 *   <li>{@link ReceiveRequests} and {@link SendRequests} describe work for the device. Post a receive before the peer sends.
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
 * <h2>Codes of later releases</h2>
 *
 * <p>Later Verbena releases may add constants to the enums of statuses, opcodes, events, states and types. If a device
 * reports a number for which the enum has no constant, the value is {@code UNKNOWN}. A method such as
 * {@link WorkCompletion#statusCode} returns the number itself, known or not. A {@code switch} over an enum with UNKNOWN
 * needs a {@code default} branch, even if it names all constants of this release.
 *
 * <h2>Visibility</h2>
 *
 * <p>A device reads and writes memory while threads of the program run. The Java memory model does not include devices, so the
 * following rules extend it. In a rule, a thread "sees" bytes if a plain read returns them, unless the rule names another read.
 *
 * <ul>
 *   <li><b>Posting.</b> The device sees every store that happens before the call of {@link QueuePair#postSend}. The program must
 *       not change the memory of a posted request until the request completes. The post of a request with
 *       {@link SendWorkRequest#inline()} copies the data.
 *   <li><b>Polling a completion.</b> A thread that polls a successful completion with {@link CompletionQueue#poll} sees
 *       all bytes that the device wrote for the request. These bytes are the message in a receive buffer, or the result
 *       of an RDMA READ or atomic operation. The completion of a receive also makes the data of an RDMA WRITE with
 *       immediate data visible. On an RC connection, a thread that polls the completion of a receive also sees all data
 *       of RDMA WRITEs that the peer posted before the message (IBTA volume 1, 9.5, o9-20). After a completion with an
 *       error, the contents of the request's buffer are undefined.
 *   <li><b>The completion of an RDMA WRITE at its sender.</b> After an RDMA WRITE has completed, the sender may change
 *       the send buffer, and a later RDMA READ returns the written bytes. The completion of an RDMA WRITE orders no
 *       memory access of the peer's threads.
 *   <li><b>Completion events.</b> Neither an event of a {@link CompletionChannel} nor the call of a
 *       {@link CompletionHandler} makes received data visible to a thread. The following {@code poll} makes the data
 *       visible.
 *   <li><b>One thread polls, another reads.</b> A thread that reads received data sees this data if the poll of the
 *       completion <em>happens before</em> the read, as the Java memory model defines it. A lock, a concurrent queue, a
 *       volatile variable, or {@code setRelease} with {@code getAcquire} establishes the order <em>happens before</em>.
 *       Without it, the reading thread may see old bytes, even if the poll returned earlier.
 *   <li><b>Peers that read.</b> An RDMA READ of a peer may return any mixture of old and new bytes if the bytes change
 *       during the READ. A thread can store data, and then set a flag with {@code setRelease}. Assume that an RDMA READ
 *       of the flag has returned the set flag. If the peer then posts an RDMA READ of the data, this READ returns the
 *       bytes that the thread stored before it set the flag.
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
 *   <li>A flag in polled memory is one byte long, or eight bytes long if an atomic operation changes the flag. If an
 *       RDMA WRITE changes a flag of several bytes, the device may write the flag in parts.
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
 * <p>By {@code ibv_reg_mr(3)}, but not by the IBTA specification, two RDMA WRITEs to a region without
 * {@link AccessFlag#RELAXED_ORDERING} reach memory in the order of their posts. By the compliance statement o9-20 of
 * IBTA volume 1, the receiver may read the data of an RDMA WRITE when a later message of the sender has completed a
 * receive. By o9-20, the receiver may also read the data when a later atomic operation of the sender has changed a
 * flag. So there are two ways to notify the receiver on every device: a {@link SendWorkRequest#rdmaWriteWithImmediate},
 * whose completion the receiver polls, and a flag that the sender sets by {@link SendWorkRequest#fetchAndAdd}.
 *
 * <p><b>{@link AccessFlag#RELAXED_ORDERING}</b> permits the device to write to the region in any order, inside a
 * message and between messages. After two RDMA WRITEs to the same bytes, the bytes of either WRITE can remain. A thread
 * must not poll a flag in a region with relaxed ordering, because the flag can become visible before the data. Relaxed
 * ordering does not change when a completion makes received data visible. An atomic operation still takes effect only
 * after the data of the peer's earlier RDMA WRITEs is in memory.
 *
 * <p>The software device implements the rules of visibility by release and acquire operations. The jcstress tests of
 * the software device search for violations of these memory visibility rules, and have run only on x86-64. The jcstress
 * tests would not find a violation that occurs only on aarch64, which reorders more memory accesses.
 *
 * @since 1.0
 */
package dev.verbena.verbs;
