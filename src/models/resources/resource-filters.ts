/**
 * Filters of lists of monitors and scenarios, as the database reads them. A search text becomes a
 * pattern in which every character stands for itself.
 */

import { trusted } from 'mongoose';
import { above, atMost, between, oneOf } from '../store/filters';
import type { ResourceFilter } from './resource';

type Condition = Readonly<Record<string, unknown>>;

/** The conditions that all must hold; none for an empty filter. */
export function resourceConditions(filter: ResourceFilter): readonly Condition[] {
  const { state, pause, targets, group, tag, hours, region, search } = filter;
  return [
    ...(state === undefined ? [] : stateConditions(state)),
    ...(pause === undefined ? [] : pauseConditions(pause)),
    ...(targets === undefined ? [] : targetConditions(targets)),
    ...(group === undefined ? [] : groupConditions(group)),
    ...(tag === undefined ? [] : [{ tags: tag }]),
    ...(hours === undefined ? [] : [{ hours }]),
    ...(region === undefined ? [] : [{ regions: region }]),
    ...(search === undefined ? [] : [{ searchText: trusted({ $regex: literal(search) }) }]),
  ];
}

/** A pause whose end has passed counts as active, as in every answer. */
function stateConditions({
  name,
  nowMs,
}: NonNullable<ResourceFilter['state']>): readonly Condition[] {
  switch (name) {
    case 'deleting':
      return [{ state: 'deleting' }];
    case 'paused':
      return [
        { state: 'paused' },
        { $or: [{ pausedUntilMs: null }, { pausedUntilMs: above(nowMs) }] },
      ];
    case 'active':
      return [{ $or: [{ state: 'active' }, { state: 'paused', pausedUntilMs: atMost(nowMs) }] }];
  }
}

function pauseConditions({
  isInForce,
  nowMs,
}: NonNullable<ResourceFilter['pause']>): readonly Condition[] {
  const paused = stateConditions({ name: 'paused', nowMs });
  return isInForce ? paused : [{ $nor: [{ $and: paused }] }];
}

/** As isTargeted decides it. */
function targetConditions({
  any,
  isTargeted,
}: NonNullable<ResourceFilter['targets']>): readonly Condition[] {
  const ids = any.flatMap((target) => target.ids);
  const tags = any.flatMap((target) => target.tags);
  const groups = any.flatMap((target) => target.groups);
  const meant: readonly Condition[] = [
    // An empty list finds nothing, so that there is always a condition.
    { _id: oneOf(ids) },
    ...(tags.length === 0 ? [] : [{ tags: oneOf(tags) }]),
    ...groups.map((group) => ({ $and: groupConditions(group) })),
    ...(any.some(({ all }) => all) ? [{}] : []),
    ...any.flatMap(({ outsideOf }) => (outsideOf === undefined ? [] : [{ ...outsideOf }])),
  ];
  return [isTargeted ? { $or: meant } : { $nor: meant }];
}

/** The group and what is nested in it. The range is wider than both, so that one index run has them. */
function groupConditions(group: string): readonly Condition[] {
  const nested = between(`${group}/`, `${group}0`);
  return [
    { groupKey: between(group, `${group}0`) },
    { $or: [{ groupKey: group }, { groupKey: nested }] },
  ];
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
