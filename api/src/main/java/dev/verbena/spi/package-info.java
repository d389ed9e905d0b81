// SPDX-License-Identifier: Apache-2.0
/**
 * Classes that an implementer of a provider extends and uses. A program that only calls verbs does not need the package
 * {@code spi}.
 *
 * <p>A provider implements {@link dev.verbena.verbs.VerbsProvider} and the interfaces of the provider's objects, such as
 * {@code Device}. Later releases add methods to the interfaces of the API. If an interface has an abstract base class in
 * this package, the base class implements each new method. {@link AbstractDevice} implements each method that a later
 * release adds to {@code Device}. A new method of a base class throws {@code CapabilityException} or calls older methods. A
 * provider whose classes extend the {@code Abstract} classes works with every later release of the same major version. If
 * an interface has no abstract base class, each method that a later release adds has a default implementation.
 *
 * <p>A device may support only RC, SEND, receive and poll. By default, the {@code Abstract} classes report that a device
 * lacks all features except RC, SEND, receive and poll. The {@code Plain} classes are work requests and queues on the Java
 * heap, for a provider that needs no native format of work requests and completions.
 *
 * @since 1.0
 */
package dev.verbena.spi;
