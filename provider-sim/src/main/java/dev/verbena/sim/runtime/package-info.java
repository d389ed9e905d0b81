// SPDX-License-Identifier: Apache-2.0
/**
 * The clock, tasks, timers and random generators of a software device.
 *
 * <ul>
 *   <li>Class {@link dev.verbena.sim.runtime.ThreadRuntime} runs tasks in several threads, in wall-clock time. Record
 *       {@link dev.verbena.sim.runtime.WaitPolicy} determines how long a waiting thread spins before it parks.
 *   <li>Class {@link dev.verbena.sim.runtime.VirtualRuntime} runs one thread at a time, in virtual time. All random
 *       decisions in virtual time derive from one seed. The method {@link dev.verbena.sim.runtime.VirtualRuntime#actor}
 *       starts a simulated application thread, which may block in virtual time.
 * </ul>
 *
 * <p>This package also contains locks and other primitives by which the threads of the device synchronize. {@code
 * dev.verbena.sim.runtime} does not depend on packets or queue pairs. The other packages get the time and their random
 * generators only from this package.
 */
package dev.verbena.sim.runtime;
