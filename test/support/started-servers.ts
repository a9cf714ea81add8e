/** The servers of this test run, kept between jest's global set-up and its global teardown. */
import type { SupervisedProcess } from '../../src/embedded/supervised-process';

declare global {
  var keepwatchTestServers: SupervisedProcess[] | undefined;
}

// Set-up and teardown load their modules separately, so that only the global object is shared.
globalThis.keepwatchTestServers ??= [];

export const startedServers: SupervisedProcess[] = globalThis.keepwatchTestServers;
