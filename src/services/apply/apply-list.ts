/** Applies one list of a set. Each entry is matched with an existing object, planned and carried out separately. */

import { findFieldChanges } from '../../domain/definitions/field-changes';
import type { Expanded } from '../../domain/definitions/matrix';
import { AppError, type FieldProblem } from '../../platform/errors';
import { mapAtMost } from '../../platform/map-at-most';
import { createSlices } from '../../platform/slices';
import { OBJECT_KINDS } from '../../schemas/apply';
import { RESOURCE_KEY_PATTERN } from '../../schemas/fields';
import type { AppliedObject } from '../../schemas/responses/apply';
import { refuseProblems } from '../lists/field-problems';
import type { RetryWhileBusy } from '../lists/retry-while-busy';
import type { Entry } from '../objects/object-type';
import type { ApplyKind, Existing, Wish } from './apply-kind';
import { nameUnknownChannels, readProblem } from './apply-outcome';

const TRIES_MAX = 4;

export interface ApplyWork {
  readonly kind: ApplyKind;
  readonly existing: readonly Existing[];
  readonly entries: readonly Entry[];
  /** For each entry, its position in the sent list and its problems. Set if matrices were expanded. */
  readonly sources?: readonly EntrySource[];
}

/** The position of an entry in the sent list, and the problems that prevent applying the entry. */
export type EntrySource = Pick<Expanded, 'index' | 'faults'>;

export interface ApplyRules {
  readonly set: string;
  readonly dryRun: boolean;
  readonly hasSecret: (name: string) => boolean;
  readonly retry: RetryWhileBusy;
  /** How many objects are processed at the same time. */
  readonly atOnce: number;
}

/** Applies the list. Returns the outcomes in the order of the entries. */
export async function applyList(
  work: ApplyWork,
  rules: ApplyRules,
): Promise<readonly AppliedObject[]> {
  const { kind, entries, sources = [] } = work;
  const counts = new Map<unknown, number>();
  for (const { key } of entries) counts.set(key, (counts.get(key) ?? 0) + 1);
  let { existing } = work;
  let reading: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  // A read that is already in progress may have begun before the conflict. The caller therefore waits for the next
  // read.
  const readAgain = (): Promise<void> => {
    const read = async (): Promise<void> => {
      waiting = null;
      const loading = kind.load();
      reading = loading;
      existing = await loading;
    };
    waiting ??= reading.then(read, read);
    return waiting;
  };
  const nextSlice = createSlices();
  return mapAtMost(rules.atOnce, entries, async (entry, at) => {
    await nextSlice();
    const { index, faults } = sources[at] ?? { index: at, faults: [] };
    const isTwice = typeof entry['key'] === 'string' && (counts.get(entry['key']) ?? 0) > 1;
    const attempt = async () => {
      const tried = await rules.retry(
        () => applyOne(kind, rules, { entry, index, faults, existing, isTwice }),
        ({ applied, isFinal }) => (isFinal ? undefined : applied.problem?.code),
      );
      return tried.applied;
    };
    let applied = await attempt();
    // If another request has just created the object, it is read and changed instead.
    for (let tries = 1; tries < TRIES_MAX && isMadeByOthers(applied); tries += 1) {
      await readAgain();
      applied = await attempt();
    }
    return applied;
  });
}

function isMadeByOthers({ action, problem }: AppliedObject): boolean {
  return action === 'create' && problem?.code === 'key_taken';
}

interface EntryInList extends EntrySource {
  readonly entry: Entry;
  readonly existing: readonly Existing[];
  readonly isTwice: boolean;
}

interface Tried {
  readonly applied: AppliedObject;
  /** True if the attempt has already been retried. */
  readonly isFinal: boolean;
}

async function applyOne(
  kind: ApplyKind,
  { set, dryRun, hasSecret }: ApplyRules,
  { entry, index, faults, existing, isTwice }: EntryInList,
): Promise<Tried> {
  const match = findMatch(entry, existing);
  let applied: AppliedObject = {
    kind: OBJECT_KINDS[kind.list],
    index,
    key: textOrNull(entry['key']) ?? match?.key ?? null,
    id: match?.id ?? null,
    name: textOrNull(entry['name']),
    action: match === null ? 'create' : 'update',
    changes: [],
    outcome: dryRun ? 'planned' : 'done',
    problem: null,
    missingSecrets: [],
  };
  let isFinal = false;
  try {
    refuseProblems(faults);
    const wish = { entry, existing: match, set };
    const keyProblems = listKeyProblems(entry, isTwice);
    if (keyProblems.length > 0) await refuseKey(kind, wish, keyProblems);
    refuseUnknownId(entry, match);
    const plan = await kind.plan(wish);
    const changes = [...findFieldChanges(plan.before ?? {}, plan.after), ...(plan.hidden ?? [])];
    const isUnchanged = plan.before !== null && changes.length === 0;
    const missingSecrets = (plan.secretNames ?? []).filter((name) => !hasSecret(name));
    applied = { ...applied, name: plan.name, changes, missingSecrets };
    if (isUnchanged) return { applied: { ...applied, action: 'unchanged' }, isFinal };
    isFinal = plan.hasOwnRetries === true;
    if (!dryRun) return { applied: { ...applied, ...(await plan.carryOut()) }, isFinal };
    await plan.rehearse?.();
    return { applied, isFinal };
  } catch (error) {
    const problem = nameUnknownChannels(readProblem(error), entry);
    return { applied: { ...applied, outcome: 'failed', problem }, isFinal };
  }
}

/**
 * Finds the stored object by the key of the entry, or else by its id. If an entry has both and the stored object has no
 * key yet, the object gets the key of the entry.
 */
export function findMatch(entry: Entry, existing: readonly Existing[]): Existing | null {
  const { key, id } = entry;
  const byKey = typeof key === 'string' ? existing.find((object) => object.key === key) : undefined;
  return byKey ?? existing.find((object) => object.id === id) ?? null;
}

function listKeyProblems({ key, id }: Entry, isTwice: boolean): readonly FieldProblem[] {
  const problem = (code: string, message: string) => [{ path: 'key', code, message }];
  if (isTwice) return problem('duplicate_key', 'is already the key of another object in the set');
  if (typeof key === 'string')
    return RESOURCE_KEY_PATTERN.test(key)
      ? []
      : problem('invalid_value', 'must be lower-case letters, digits, dots, _, - and @');
  if (id !== undefined) return [];
  return problem('required', 'is required: apply finds objects by their key');
}

/** Throws one error that lists the problems of the key first, followed by the problems of the other fields. */
async function refuseKey(
  kind: ApplyKind,
  wish: Wish,
  keyProblems: readonly FieldProblem[],
): Promise<void> {
  let others: readonly FieldProblem[] = [];
  try {
    await kind.check?.(wish);
  } catch (error) {
    others = readProblem(error).errors.filter(({ path }) => path !== 'key');
  }
  refuseProblems([...keyProblems, ...others]);
}

function refuseUnknownId({ key }: Entry, match: Existing | null): void {
  if (typeof key !== 'string' && match === null)
    throw new AppError('not_found', 'There is no object with this id; give a key.');
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
