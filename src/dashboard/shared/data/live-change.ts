/** Parses the events of the stream, and finds the paths whose data an event changes. */
import { parseJson } from '../../../contracts/json';

export interface LiveChange {
  readonly kind: 'monitor' | 'scenario' | 'run' | 'incident' | 'definition' | 'post';
  readonly id: string;
  /** The scenario, if the change is about a run. */
  readonly scenarioId?: string;
}

/** A slot of the check was stored. The event contains the current state of the check. */
export interface CheckChange extends LiveChange {
  readonly kind: 'monitor' | 'scenario';
  readonly healthSince: string;
  readonly inMaintenance: boolean;
  readonly lastCheckedAt: string | null;
  readonly nextCheckAt: string | null;
  readonly lastResponseTimeMs: number | null;
}

export function isCheckChange(change: LiveChange): change is CheckChange {
  return (change.kind === 'monitor' || change.kind === 'scenario') && 'healthSince' in change;
}

const KINDS: readonly string[] = ['monitor', 'scenario', 'run', 'incident', 'definition', 'post'];

/** Parses an event. Returns null for an unknown event, because a newer service may send more kinds. */
export function readChange(text: string): LiveChange | null {
  const given = parseJson(text);
  return isChange(given) ? given : null;
}

function isChange(given: unknown): given is LiveChange {
  return (
    typeof given === 'object' &&
    given !== null &&
    'kind' in given &&
    'id' in given &&
    typeof given.id === 'string' &&
    typeof given.kind === 'string' &&
    KINDS.includes(given.kind)
  );
}

/** The cache key of the list with all checks. */
export const ALL_CHECKS = '/v1/checks?limit=1000';

/** The start of a path that reads a single row. */
export const CHECK_ROW = '/v1/checks?ids=';

/** Returns the prefixes of the paths that must be read again. */
export function listPaths({ kind, id, scenarioId }: LiveChange): readonly string[] {
  switch (kind) {
    case 'monitor':
      return [`/v1/monitors/${id}`, '/v1/monitors?', '/v1/overview', CHECK_ROW + id];
    case 'scenario':
      return [`/v1/scenarios/${id}`, '/v1/scenarios?', '/v1/overview', CHECK_ROW + id];
    case 'run':
      return [`/v1/scenarios/${scenarioId ?? ''}`];
    case 'incident':
      return ['/v1/incidents', '/v1/alerts', '/v1/overview', '/v1/checks'];
    case 'definition':
      return ['/v1/monitors', '/v1/scenarios', '/v1/overview', '/v1/checks'];
    case 'post':
      return ['/v1/status-page-posts'];
  }
}

/** True if the data cached under the key was read from a path with one of these prefixes. */
export function isUnder(queryKey: readonly unknown[], touches: readonly string[]): boolean {
  const [path] = queryKey;
  return typeof path === 'string' && touches.some((start) => path.startsWith(start));
}

/** Returns the path without the start and end of its window. */
export function withoutTimes(path: string): string {
  return path.replaceAll(/(?<=[?&])(from|to)=[^&]*&?/g, '');
}
