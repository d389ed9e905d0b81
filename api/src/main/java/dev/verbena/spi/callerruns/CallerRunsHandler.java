// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.CompletionHandler;

/**
 * A completion handler that runs no code of the program. A device may call the handler at {@link CallerRuns#endCall},
 * in the thread whose call into the LND caused the completion.
 */
public interface CallerRunsHandler extends CompletionHandler {}
