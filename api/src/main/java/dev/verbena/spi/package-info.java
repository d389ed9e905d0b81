// SPDX-License-Identifier: Apache-2.0
/**
 * For implementers of providers: classes to extend and to use. A program needs none of them.
 *
 * <p>A provider implements {@link dev.verbena.verbs.VerbsProvider} and the objects that it creates. Later releases add methods to these
 * interfaces. The {@code Abstract} class of an interface then implements the new method: it refuses by capability, or does what
 * older methods allow. So a provider whose classes extend the {@code Abstract} classes runs with every later release of the same major
 * version. An interface without such a class gets default methods only.
 *
 * <p>Each {@code Abstract} class also implements the methods that a device of the minimum (RC, send, receive, poll) lacks. The {@code
 * Plain} classes are work requests and queues on the Java heap, for a provider without a layout of its own.
 *
 * @since 1.0
 */
package dev.verbena.spi;
