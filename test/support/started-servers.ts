/** The servers of this test run, kept between jest's global set-up and its global teardown. */

export interface StartedServer {
  readonly stop: (graceMs: number) => Promise<void>;
}

declare global {
  var keepwatchTestServers: StartedServer[] | undefined;
}

// Set-up and teardown load their modules separately, so that only the global object is shared.
globalThis.keepwatchTestServers ??= [];

/** In the order of their start: the last one depends on those before it. */
export const startedServers: StartedServer[] = globalThis.keepwatchTestServers;
