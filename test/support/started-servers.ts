/** The servers of this test run. The global set-up and the global teardown of jest share this list. */

export interface StartedServer {
  readonly stop: (graceMs: number) => Promise<void>;
}

declare global {
  var keepwatchTestServers: StartedServer[] | undefined;
}

// The list is in the global object, because set-up and teardown load their modules separately and share only this
// object.
globalThis.keepwatchTestServers ??= [];

/** The servers in the order of their start. Later servers depend on earlier ones. */
export const startedServers: StartedServer[] = globalThis.keepwatchTestServers;
