/** The servers of this test run, shared by jest's global set-up and its global teardown. */

export interface StartedServer {
  readonly stop: (graceMs: number) => Promise<void>;
}

declare global {
  var keepwatchTestServers: StartedServer[] | undefined;
}

// Set-up and teardown load their modules separately and share only the global object.
globalThis.keepwatchTestServers ??= [];

/** In the order of their start: later servers depend on earlier ones. */
export const startedServers: StartedServer[] = globalThis.keepwatchTestServers;
