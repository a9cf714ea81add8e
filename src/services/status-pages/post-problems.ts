/** Validates bodies of posts. Reports all problems of a body at once, and how to fix each of them. Pure. */
import { POST_STATES } from '../../contracts/status-pages';
import {
  hasState,
  isFinal,
  isOver,
  type Post,
  type PostUpdate,
} from '../../domain/status-pages/post';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { FieldProblem } from '../../platform/errors';
import type { StatusPagePostBody, StatusPagePostChange } from '../../schemas/status-pages/post';

/** Returns the problems of a new post. `page` is null if the page does not exist. */
export function findNewProblems(
  { affected, publishAt }: Pick<StatusPagePostBody, 'affected' | 'publishAt'>,
  page: StatusPage | null,
  nowMs: number,
): readonly FieldProblem[] {
  const strangers =
    page === null
      ? [unknownId('pageId', 'is not a status page of the account')]
      : findStrangers(affected, page);
  return [...strangers, ...findPast(publishAt, nowMs)];
}

/** Returns the updates in the order in which they were written. Updates that are missing in the body are removed. */
export function mergeUpdates(
  stored: readonly PostUpdate[],
  given: StatusPagePostChange['updates'],
): readonly PostUpdate[] {
  return stored.flatMap((update) => {
    const change = given.find(({ id }) => id === update.id);
    return change === undefined ? [] : { ...update, state: change.state, text: change.text };
  });
}

interface Asked {
  readonly body: StatusPagePostChange;
  readonly page: StatusPage | null;
  readonly nowMs: number;
}

export function findChangeProblems(
  before: Post,
  { body, page, nowMs }: Asked,
): readonly FieldProblem[] {
  const { affected, postMortem, publishAt } = body;
  const after = { ...before, updates: mergeUpdates(before.updates, body.updates) };
  const problems = page === null ? [] : findStrangers(affected, page, before.affected);
  if (publishAt !== before.publishAtMs) problems.push(...findPast(publishAt, nowMs));
  if (publishAt !== null && before.state === 'published')
    problems.push(invalid('publishAt', 'must be null: the post is published'));
  problems.push(...findUpdateProblems(before, body.updates));
  if (before.state === 'published' && after.updates.every(({ isDraft }) => isDraft))
    problems.push(invalid('updates', 'must keep a published update; delete the post instead'));
  if (postMortem !== null && !isOver(after)) {
    const state = before.type === 'incident' ? 'resolved' : 'completed';
    problems.push(
      invalid(
        'postMortem',
        `must be null until the post is over; add an update \`${state}\` first`,
      ),
    );
  }
  return problems;
}

function findUpdateProblems(
  { type, updates: stored }: Post,
  given: StatusPagePostChange['updates'],
): readonly FieldProblem[] {
  const lastId = stored.findLast(({ id }) => given.some((update) => update.id === id))?.id;
  return given.flatMap(({ id, state }, at) => {
    const before = stored.find((update) => update.id === id);
    if (before === undefined)
      return unknownId(
        `updates[${at}].id`,
        'is not an update of the post; add a new one with POST to its updates',
      );
    if (given.findIndex((update) => update.id === id) < at)
      return invalid(`updates[${at}].id`, 'is given twice');
    if (!hasState(type, state)) return createStateProblem(`updates[${at}].state`, type);
    if (isFinal(state) && state !== before.state && id !== lastId)
      return invalid(`updates[${at}].state`, 'ends the post, so it must be the last update');
    return [];
  });
}

/**
 * Returns a problem for each item that is not on the page. Accepts items that the post already has, even if the page no
 * longer has them.
 */
function findStrangers(
  affected: readonly string[],
  { groups }: StatusPage,
  kept: readonly string[] = [],
): FieldProblem[] {
  const known = new Set([...groups.flatMap(({ items }) => items.map(({ id }) => id)), ...kept]);
  return affected.flatMap((id, at) =>
    known.has(id) ? [] : [unknownId(`affected[${at}]`, 'is not an item of the page')],
  );
}

function findPast(publishAtMs: number | null, nowMs: number): readonly FieldProblem[] {
  if (publishAtMs === null || publishAtMs > nowMs) return [];
  return [invalid('publishAt', 'must be in the future; publish the post to show it now')];
}

export function createStateProblem(path: string, type: Post['type']): FieldProblem {
  return invalid(path, `must be one of ${POST_STATES[type].join(', ')}`);
}

function invalid(path: string, message: string): FieldProblem {
  return { path, code: 'invalid_value', message };
}

function unknownId(path: string, message: string): FieldProblem {
  return { path, code: 'unknown_id', message };
}
