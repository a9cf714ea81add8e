/** The oldest Temporal server that serves what Keepwatch uses, and whether one is new enough. */

/** Worker versions with upgrade on continue-as-new, fairness keys and reported problems. */
export const TEMPORAL_SERVER_MIN = { major: 1, minor: 31 };

/** A server that Keepwatch can't work with; the message says what to do. */
class UnfitServerError extends Error {
  override readonly name = 'UnfitServerError';
}

/** A sentence, or null when it is new enough or names no version that is understood. */
export function findVersionProblem(serverVersion: string): string | null {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(serverVersion) ?? [];
  if (major === undefined || minor === undefined) return null;
  const min = TEMPORAL_SERVER_MIN;
  const isOlder =
    Number(major) < min.major || (Number(major) === min.major && Number(minor) < min.minor);
  if (!isOlder) return null;
  return `The Temporal server is ${serverVersion}, and Keepwatch needs ${min.major}.${min.minor} or newer: upgrade it.`;
}

interface Server {
  getSystemInfo(request: object): Promise<{ readonly serverVersion: string }>;
}

/** Throws UnfitServerError when the server is too old, and whatever the call throws. */
export async function requireServerVersion(server: Server): Promise<void> {
  const { serverVersion } = await server.getSystemInfo({});
  const problem = findVersionProblem(serverVersion);
  if (problem !== null) throw new UnfitServerError(problem);
}
