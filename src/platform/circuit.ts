/** A circuit breaker: after a dependency was unavailable, calls to it fail immediately for a while. */

const OPEN_MS = 2_000;

export interface Circuit {
  /** Wraps the object. Each of its methods fails immediately while the circuit is open. */
  readonly protect: <Dependency extends object>(dependency: Dependency) => Dependency;
}

export interface CircuitNeeds {
  /** True if the error means that the dependency is unavailable. */
  readonly isAway: (error: unknown) => boolean;
  /** Returns the milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
}

/**
 * Creates a circuit breaker. It opens when a call finds the dependency unavailable. All calls in flight then fail,
 * although they may still take effect. While the circuit is open, one call is let through every two seconds. If this
 * call succeeds, the circuit closes.
 */
export function createCircuit({ isAway, nowMs }: CircuitNeeds): Circuit {
  /** For each call in flight, a function that makes it fail. */
  const inFlight = new Set<(error: unknown) => void>();
  /** The latest failure of the dependency. null while the circuit is closed. */
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
