// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs: devices, protection domains, memory regions, queues, work requests and completions.
 *
 * <p>The names are those of the InfiniBand specification and of libibverbs, without abbreviations. The package {@code
 * dev.verbena.verbs} has interfaces, which providers implement, and immutable values, without I/O and threads.
 *
 * <h2>The objects of a program</h2>
 *
 * <p>A program creates the following objects in this order. {@link dev.verbena.verbs.VerbsScope} closes them in the opposite
 * order.
 *
 * <ol>
 *   <li>{@link dev.verbena.verbs.VerbsProviders#named VerbsProviders.named} finds a provider: {@code sim} is the software device,
 *       {@code ibverbs} is the provider of the machine's devices.
 *   <li>{@link dev.verbena.verbs.VerbsProvider#open VerbsProvider.open} opens a {@link dev.verbena.verbs.Device}.
 *   <li>{@link dev.verbena.verbs.Device#allocatePd allocatePd} allocates a {@link dev.verbena.verbs.ProtectionDomain}, which
 *       groups queue pairs with the memory that they may use.
 *   <li>{@link dev.verbena.verbs.ProtectionDomain#registerMemory registerMemory} makes a {@link dev.verbena.verbs.MemoryRegion}
 *       of memory that the device may access.
 *   <li>{@link dev.verbena.verbs.Device#createCq createCq} creates a {@link dev.verbena.verbs.CompletionQueue}, from which the
 *       program polls the results of its requests.
 *   <li>{@link dev.verbena.verbs.ProtectionDomain#createQp createQp} creates a {@link dev.verbena.verbs.QueuePair}, one end of a
 *       connection.
 *   <li>{@link dev.verbena.verbs.QpConnector} connects two queue pairs whose numbers the program has exchanged. {@link
 *       dev.verbena.cm} connects by IP address and port instead.
 *   <li>{@link dev.verbena.verbs.ReceiveRequests} and {@link dev.verbena.verbs.SendRequests} describe work for the device. Post a
 *       receive before the peer sends.
 *   <li>{@link dev.verbena.verbs.CompletionQueue#await CompletionQueue.await} waits for completions. Check {@link
 *       dev.verbena.verbs.WorkCompletion#isSuccess isSuccess} of each, because a failed request also completes. {@link
 *       dev.verbena.verbs.WorkCompletion#explain explain} reports the cause of a failure.
 * </ol>
 *
 * <h2>Failures</h2>
 *
 * <p>Calls of the control path throw {@link dev.verbena.verbs.VerbsException} with an errno. A post returns the number of
 * requests that it accepted, and never throws for a full queue. Errors that no peer can cause (use of a closed object, an index
 * out of range) cause an unchecked exception.
 *
 * <h2>Codes of later releases</h2>
 *
 * <p>Later releases add constants to the enums of statuses, opcodes, events, states and types. For a number that this release
 * does not know, the constant is {@code UNKNOWN}, and a method such as {@link dev.verbena.verbs.WorkCompletion#statusCode
 * statusCode} returns the number. A {@code switch} over such an enum needs a {@code default} branch, even if it names all
 * constants of this release.
 *
 * <h2>Visibility</h2>
 *
 * <p>A device reads and writes memory while threads of the program run. The Java memory model does not include devices, so the
 * following rules extend it. "Sees" means: with a plain read of the memory, unless the rule names another kind of read.
 *
 * <ul>
 *   <li><b>Posting.</b> The device sees every store that happens before the call of {@link dev.verbena.verbs.QueuePair#postSend
 *       postSend}. The program must not change the memory until the request completes. The call copies {@linkplain
 *       dev.verbena.verbs.SendWorkRequest#inline() inline} data.
 *   <li><b>Polling a completion.</b> A thread that polls a successful completion by {@link dev.verbena.verbs.CompletionQueue#poll
 *       poll} sees all bytes that the device wrote for this request: the message in a receive buffer, or the result of an RDMA
 *       READ or an atomic operation. The completion of a receive also makes the data of an RDMA WRITE with immediate data
 *       visible, and the data of every RDMA WRITE that the peer posted before on the same connection (RC; IBTA volume 1, 9.5,
 *       o9-20). After a completion with an error the contents of its buffer are undefined.
 *   <li><b>Completion of an RDMA WRITE at its sender.</b> After the completion of its RDMA WRITE the sender may change the
 *       buffer, and a later RDMA READ returns the new bytes. The completion orders no memory access of the peer's threads.
 *   <li><b>Announcements.</b> An event of a {@link dev.verbena.verbs.CompletionChannel} and the call of a {@link
 *       dev.verbena.verbs.CompletionHandler} make no data visible. The following {@code poll} does.
 *   <li><b>One thread polls, another reads.</b> The reading thread sees the data if the poll happens before its read by the rules
 *       of Java: through a lock, a concurrent queue, a volatile variable, or {@code setRelease} and {@code getAcquire}. Otherwise
 *       the reading thread may see old bytes, even if the poll was earlier in time.
 *   <li><b>Peers that read.</b> An RDMA READ of a peer may return any mixture of old and new bytes if the bytes change during the
 *       READ. If a thread stores data and then a flag with {@code setRelease}, a peer whose first READ returned the flag gets the
 *       data by a second READ that it posts after the completion of the first one.
 * </ul>
 *
 * <h3>Memory that is polled</h3>
 *
 * <p>A thread may also poll memory that a peer's RDMA WRITE changes, without a completion. Three conditions apply:
 *
 * <ol>
 *   <li>The flag is a separate message, after the data and on the same reliable queue pair. <b>The order of the bytes inside one
 *       message is not defined</b>, unless {@link dev.verbena.verbs.QueuePair#isDataInOrder} reports an order for the queue pair.
 *       So a flag in the last byte of the data proves nothing.
 *   <li>The flag is one byte, or eight bytes that an atomic operation changes. A device may write a longer value in parts.
 *   <li>The thread reads the flag with {@code getAcquire}, and the data afterwards. The compiler may move a plain read out of the
 *       loop, and compiler or processor may execute plain reads of the data before the read of the flag.
 * </ol>
 *
 * {@snippet lang = java :
 * // Once: access to the flag.
 * static final VarHandle FLAG = ValueLayout.JAVA_BYTE.varHandle();
 *
 * // The sender posts two RDMA WRITEs, the data and then the flag, in one batch.
 * sends.get(0).rdmaWrite(mailbox, rkey).sge(region, 0, length);
 * sends.get(1).rdmaWrite(mailbox + length, rkey).signaled().sge(region, length, 1);
 * qp.postAll(sends, 2);
 *
 * // The receiver polls the flag, then reads the data.
 * while ((byte) FLAG.getAcquire(memory, length) != turn) {
 *     Thread.onSpinWait();
 * }
 * byte first = memory.get(ValueLayout.JAVA_BYTE, 0);
 * }
 *
 * <p>{@code ibv_reg_mr(3)} documents the order of two RDMA WRITEs in memory for regions without {@link
 * dev.verbena.verbs.AccessFlag#RELAXED_ORDERING}. The IBTA specification (o9-20) promises the data only after the completion of a
 * later receive, or after a later atomic operation on the flag. A program for every device therefore sends the data with
 * {@linkplain dev.verbena.verbs.SendWorkRequest#rdmaWriteWithImmediate RDMA WRITE with immediate data} and polls the completion
 * queue, or uses {@link dev.verbena.verbs.SendWorkRequest#fetchAndAdd fetchAndAdd} on the flag.
 *
 * <p><b>{@link dev.verbena.verbs.AccessFlag#RELAXED_ORDERING}</b> permits the device to write to the region in any order, inside
 * a message and between messages. After two RDMA WRITEs to the same bytes, the bytes of either can remain. So a thread must not
 * poll a flag in such a region. The rules for completions do not change, and a later atomic operation is still ordered after the
 * data.
 *
 * <p>The software device implements the rules of visibility by release and acquire operations. The jcstress tests of the device
 * try to violate the rules, and have run only on x86-64. x86-64 reorders less than aarch64, so the tests prove nothing about
 * aarch64.
 *
 * @since 1.0
 */
package dev.verbena.verbs;
