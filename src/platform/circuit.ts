/**
 * A circuit breaker: once a dependency is away, calls to it fail at once for a while instead of each
 * waiting for its own time limit. It bounds no call itself and retries nothing.
 */

const OPEN_MS = 2_000;

export interface Circuit {
  /** The same object, each of whose methods fails at once while the circuit is open. */
  readonly protect: <Dependency extends object>(dependency: Dependency) => Dependency;
}

export interface CircuitNeeds {
  /** True for errors that say the dependency is away; every other outcome says that it answered. */
  readonly isAway: (error: unknown) => boolean;
  /** Milliseconds by a monotonic clock. */
  readonly nowMs: () => number;
}

/**
 * Opens with the first call that finds the dependency away; calls in flight then fail with that
 * error, too, though they may still take effect. After two seconds one call is let through: when it
 * is answered the circuit closes, otherwise it stays open for two more.
 */
export function createCircuit({ isAway, nowMs }: CircuitNeeds): Circuit {
  /** Ends each call in flight with an error. */
  const inFlight = new Set<(error: unknown) => void>();
  /** What the dependency failed with last; null while the circuit is closed. */
  let refusal: { readonly error: unknown; readonly tryAtMs: number } | null = null;
  let isTrialOpen = false;

  function open(error: unknown): void {
    refusal = { error, tryAtMs: nowMs() + OPEN_MS };
    for (const fail of inFlight) fail(error);
  }

  function untilTripped<Result>(call: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      inFlight.add(reject);
      void call()
        .then(resolve, reject)
        .finally(() => inFlight.delete(reject));
    });
  }

  async function observe<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await untilTripped(call);
      refusal = null;
      return result;
    } catch (error) {
      if (!isAway(error)) refusal = null;
      else if (error !== refusal?.error) open(error);
      throw error;
    }
  }

  async function run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (refusal === null) return observe(call);
    if (isTrialOpen || nowMs() < refusal.tryAtMs) throw refusal.error;
    isTrialOpen = true;
    try {
      return await observe(call);
    } finally {
      isTrialOpen = false;
    }
  }

  return {
    protect: (dependency) =>
      new Proxy(dependency, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(target, name, receiver);
          if (typeof member !== 'function') return member;
          return (...given: unknown[]) => run(async () => Reflect.apply(member, target, given));
        },
      }),
  };
}
