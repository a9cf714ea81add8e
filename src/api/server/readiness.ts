/** Checks whether each dependency of the API responds. */

export interface DependencyCheck {
  readonly name: string;
  /** Resolves if the dependency responds within the deadline; rejects otherwise. */
  readonly ping: (deadlineMs: number) => Promise<void>;
}

export interface Readiness {
  readonly isReady: boolean;
  readonly dependencies: Readonly<Record<string, { readonly status: 'up' | 'down' }>>;
}

const PING_DEADLINE_MS = 2000;
/** Results are cached this long, so that frequent health checks cause no load. */
const KEEP_MS = 1000;

/** A dependency whose ping is set later. Until then, it counts as unavailable. */
export interface LateDependency extends DependencyCheck {
  readonly setPing: (ping: DependencyCheck['ping']) => void;
}

export function createLateDependency(name: string): LateDependency {
  let current: DependencyCheck['ping'] = async () => {
    throw new Error(`the ${name} has not been reached yet`);
  };
  return {
    name,
    ping: (deadlineMs) => current(deadlineMs),
    setPing: (ping) => {
      current = ping;
    },
  };
}

/**
 * Creates a function that reports the readiness. The function pings each dependency at most once a second, even if it
 * is called more often or in parallel.
 */
export function createReadiness(
  checks: readonly DependencyCheck[],
  now: () => number,
): () => Promise<Readiness> {
  let last: { readonly atMs: number; readonly readiness: Promise<Readiness> } | null = null;
  return () => {
    if (last === null || now() - last.atMs >= KEEP_MS) {
      last = { atMs: now(), readiness: askAll(checks) };
    }
    return last.readiness;
  };
}

async function askAll(checks: readonly DependencyCheck[]): Promise<Readiness> {
  const states = await Promise.all(checks.map(ask));
  return {
    isReady: states.every(({ status }) => status === 'up'),
    dependencies: Object.fromEntries(states.map(({ name, status }) => [name, { status }])),
  };
}

async function ask({ name, ping }: DependencyCheck) {
  const status: 'up' | 'down' = await ping(PING_DEADLINE_MS).then(
    () => 'up',
    () => 'down',
  );
  return { name, status };
}
