/** Collects changed paths. When the waiting time of any path has passed, all collected paths are flushed together. */

interface Gatherer {
  readonly take: (paths: readonly string[], waitMs: number) => void;
  readonly stop: () => void;
}

/** Creates a gatherer. `flush` gets all paths that were added since its last call. */
export function createGatherer(flush: (paths: readonly string[]) => void): Gatherer {
  const gathered = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAtMs = Number.POSITIVE_INFINITY;
  const end = (): void => {
    dueAtMs = Number.POSITIVE_INFINITY;
    flush([...gathered]);
    gathered.clear();
  };
  return {
    take(paths, waitMs) {
      for (const path of paths) gathered.add(path);
      if (Date.now() + waitMs >= dueAtMs) return;
      clearTimeout(timer);
      dueAtMs = Date.now() + waitMs;
      timer = setTimeout(end, waitMs);
    },
    stop: () => clearTimeout(timer),
  };
}
