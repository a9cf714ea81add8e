/**
 * Converts the filters of monitor and scenario lists to database conditions. A search text becomes a pattern that
 * matches every character literally.
 */

import { trusted } from 'mongoose';
import { above, atMost, between, matchAny } from '../store/filters';
import type { ResourceFilter } from './resource';

type Condition = Readonly<Record<string, unknown>>;

/** Returns conditions that must all be met. Empty for an empty filter. */
export function buildResourceConditions(filter: ResourceFilter): readonly Condition[] {
  const { state, pause, targets, group, tag, hours, environment, inherits } = filter;
  const { profile, region, search } = filter;
  return [
    ...(state === undefined ? [] : stateConditions(state)),
    ...(pause === undefined ? [] : pauseConditions(pause)),
    ...(targets === undefined ? [] : targetConditions(targets)),
    ...(group === undefined ? [] : groupConditions(group)),
    ...(tag === undefined ? [] : [{ tags: tag }]),
    ...(hours === undefined ? [] : [{ hours }]),
    ...(profile === undefined ? [] : [{ profile }]),
    ...(environment === undefined ? [] : [{ environment }]),
    ...(inherits === undefined ? [] : [{ inherited: above('') }]),
    ...(region === undefined ? [] : [{ regions: region }]),
    ...(search === undefined ? [] : [{ searchText: trusted({ $regex: literal(search) }) }]),
  ];
}

/** Returns the conditions for the state. A pause that has already ended counts as active, as in all responses. */
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

/** Returns the conditions for a target, by the same rule as `isTargeted` in the domain. */
function targetConditions({
  any,
  isTargeted,
}: NonNullable<ResourceFilter['targets']>): readonly Condition[] {
  const ids = any.flatMap((target) => target.ids);
  const tags = any.flatMap((target) => target.tags);
  const groups = any.flatMap((target) => target.groups);
  const meant: readonly Condition[] = [
    // This condition is always present, so that an empty list of ids matches nothing.
    { _id: matchAny(ids) },
    ...(tags.length === 0 ? [] : [{ tags: matchAny(tags) }]),
    ...groups.map((group) => ({ $and: groupConditions(group) })),
    ...(any.some(({ all }) => all) ? [{}] : []),
    ...any.flatMap(({ outsideOf }) => (outsideOf === undefined ? [] : [{ ...outsideOf }])),
  ];
  return [isTargeted ? { $or: meant } : { $nor: meant }];
}

/** Returns the conditions for a group and the groups nested in it, which need one index scan. */
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
