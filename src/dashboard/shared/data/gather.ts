/** Puts what changes together, so that pages read again seldom: soon for other changes, later for single checks. */
import { type LiveChange, pathsOf } from './live-change';

/** Milliseconds. */
const WAIT = { check: 2_000, other: 300 } as const;

interface Gatherer {
  readonly take: (change: LiveChange) => void;
  readonly stop: () => void;
}

/** `flush` gets the paths of all that was taken since the last time. */
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
    take(change) {
      for (const path of pathsOf(change)) gathered.add(path);
      const isCheck = change.kind === 'monitor' || change.kind === 'scenario';
      const wait = isCheck ? WAIT.check : WAIT.other;
      if (Date.now() + wait >= dueAtMs) return;
      clearTimeout(timer);
      dueAtMs = Date.now() + wait;
      timer = setTimeout(end, wait);
    },
    stop: () => clearTimeout(timer),
  };
}
