/** Bulk actions on checks, and how to undo them. */
import {
  buildRestoredPause,
  expectActive,
  expectPaused,
  type Pausable,
  type PauseBody,
} from '../../shared/actions/pause-body';
import type { BulkOutcome } from '../../shared/data/api-types';
import type { Expected } from '../../shared/data/expected';

/** A bulk action without the ids of its checks. */
export type Unaddressed =
  | ({ readonly action: 'pause' } & PauseBody)
  | { readonly action: 'resume' | 'delete' }
  | { readonly action: 'tag'; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly action: 'group'; readonly group: string | null };

export type BulkAction = Unaddressed & { readonly ids: readonly string[] };

/** Returns the state to show until the service responds. undefined if the action changes nothing that is shown. */
export function expectBulk(action: BulkAction, chosen: readonly Pausable[]): Expected | undefined {
  if (action.action === 'pause') return expectPaused(action.ids, action);
  if (action.action !== 'resume') return undefined;
  return expectActive(chosen.filter(({ id }) => action.ids.includes(id)));
}

/** Returns the action that restores the previous state. null if there is none. */
export function undoBulk(
  action: BulkAction,
  chosen: readonly Pausable[],
  { data }: Pick<BulkOutcome, 'data'>,
): BulkAction | null {
  const done = new Set(data.filter(({ ok }) => ok).map(({ id }) => id));
  const paused = chosen.filter(({ id, state }) => done.has(id) && state === 'paused');
  const active = chosen.filter(({ id, state }) => done.has(id) && state === 'active');
  const [first] = paused;
  if (action.action === 'pause') {
    const isExact = active.length > 0 && (first === undefined || action.until === undefined);
    return isExact ? { action: 'resume', ids: active.map(({ id }) => id) } : null;
  }
  if (action.action !== 'resume' || first === undefined) return null;
  const isSame = ({ pausedUntil, pauseReason }: Pausable): boolean =>
    pausedUntil === first.pausedUntil && pauseReason === first.pauseReason;
  if (!paused.every(isSame)) return null;
  return { action: 'pause', ids: paused.map(({ id }) => id), ...buildRestoredPause(first) };
}

/** The verb that describes the outcome of each action, like `paused` in `3 checks paused.` */
export const BULK_WORDS: Readonly<Record<BulkAction['action'], string>> = {
  pause: 'paused',
  resume: 'resumed',
  delete: 'deleted',
  tag: 'tagged',
  group: 'moved',
};

export function bulkSentence({ succeeded, failed, data }: BulkOutcome, done: string): string {
  const count = succeeded === 1 ? '1 check' : `${succeeded} checks`;
  const sentence = `${count} ${done}.`;
  if (failed === 0) return sentence;
  const first = data.find(({ ok }) => !ok);
  return `${sentence} ${failed} failed: ${first?.detail ?? first?.code ?? 'no reason given'}`;
}
