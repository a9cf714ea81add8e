/** The requirements for a Temporal server: the oldest version, and the settings for pushing cancellations. */

/**
 * The oldest server version that works. It supports worker versions with upgrade on continue-as-new, fairness keys,
 * reported problems and pushed cancellations.
 */
export const TEMPORAL_SERVER_MIN = { major: 1, minor: 32 };

/** Thrown for a server that Keepwatch cannot work with. The message contains a remedy. */
class UnfitServerError extends Error {
  override readonly name = 'UnfitServerError';
}

/** Returns true if the server is older than the minimum. Returns false if its version cannot be understood. */
export function isTooOld(serverVersion: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(serverVersion) ?? [];
  if (major === undefined || minor === undefined) return false;
  const min = TEMPORAL_SERVER_MIN;
  return Number(major) < min.major || (Number(major) === min.major && Number(minor) < min.minor);
}

/**
 * Returns a sentence about a version that is too old. null if the server is new enough, or its version is unreadable.
 */
export function findVersionProblem(serverVersion: string): string | null {
  if (!isTooOld(serverVersion)) return null;
  const { major, minor } = TEMPORAL_SERVER_MIN;
  return `The Temporal server is ${serverVersion}, but Keepwatch needs ${major}.${minor} or newer: upgrade it.`;
}

interface Server {
  getSystemInfo(request: object): Promise<{ readonly serverVersion: string }>;
}

/** Throws UnfitServerError if the server is too old, and passes on errors of the call. */
export async function requireServerVersion(server: Server): Promise<void> {
  const { serverVersion } = await server.getSystemInfo({});
  const problem = findVersionProblem(serverVersion);
  if (problem !== null) throw new UnfitServerError(problem);
}

/** The capabilities of a namespace that concern cancellations. */
export interface Capabilities {
  readonly workerCommands?: boolean | null;
  readonly workerHeartbeats?: boolean | null;
}

export interface PushProblem {
  readonly says: string;
  readonly advice: string;
}

/**
 * Returns the problem because of which workers of the namespace do not get cancellations. null if there is none. No
 * response of the server contains the setting `system.enableCancelActivityWorkerCommand`, so only the advice names it.
 */
export function findPushProblem(capabilities: Capabilities | null | undefined): PushProblem | null {
  // The SDK gets cancellations only if the server accepts heartbeats of workers, which it does by default.
  const off = [
    ...(capabilities?.workerCommands === true ? [] : ['frontend.WorkerCommandsEnabled']),
    ...(capabilities?.workerHeartbeats === true ? [] : ['frontend.WorkerHeartbeatsEnabled']),
  ];
  if (off.length === 0) return null;
  const settings = [...off, 'system.enableCancelActivityWorkerCommand'].join(' and ');
  return {
    says: 'the Temporal server does not push cancellations: a pause or an edit takes effect only at the next slot or heartbeat',
    advice: `Set ${settings} to true in its dynamic configuration, then restart orchestrators and probes.`,
  };
}

interface NamespaceServer {
  describeNamespace(request: { readonly namespace: string }): Promise<{
    readonly namespaceInfo?: { readonly capabilities?: Capabilities | null } | null;
  }>;
}

/** Warns once and names the setting if cancellations are not pushed. Passes on errors of the call. */
export async function warnWithoutPush(
  server: NamespaceServer,
  namespace: string,
  logger: { readonly warn: (sentence: string) => void },
): Promise<void> {
  const { namespaceInfo } = await server.describeNamespace({ namespace });
  const problem = findPushProblem(namespaceInfo?.capabilities);
  if (problem !== null) logger.warn(`${problem.says}. ${problem.advice}`);
}
