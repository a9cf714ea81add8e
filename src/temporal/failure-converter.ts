/**
 * Converts errors for Temporal. Messages and stack traces go into a payload that is encrypted. The client, the worker
 * and the workflow bundle load this file by its path.
 */
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
