/**
 * Converts errors for Temporal: messages and stack traces go into a payload, which is encrypted. Client, worker and
 * workflow bundle load this file by its path.
 */
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
