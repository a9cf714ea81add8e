/**
 * Computes the overview of an account: its resources by status, open incidents and stuck workflows. Reads no
 * definitions.
 */

import type { MaintenanceTarget } from '../../contracts/maintenance';
import type { Health } from '../../contracts/records';
import { isTargeted } from '../../domain/definitions/is-targeted';
import type { AccountTally } from '../../models/operations/overview';
import type { Overview } from '../../schemas/responses/overview';
import type { ServiceFields } from '../../schemas/responses/resources';
import { readEntries } from '../maintenance/account-calendar';
import { listTargetsAt } from '../maintenance/maintenance-plans';
import type { Dependencies } from '../ports/dependencies';
import type { StuckWorkflow } from '../ports/gateway';
import { isPausedAt } from '../resources/pause';
import type { FindStuck } from './stuck-workflows';

type Status = ServiceFields['status'];
type Tally = Overview['monitors'];
interface Counted {
  readonly groupKey: string;
  readonly status: Status;
}

/** Reads the overview with a few small reads, regardless of the number of groups. */
export async function getOverview(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  findStuck: FindStuck,
  accountId: string,
): Promise<Overview> {
  const { overview } = stores;
  const nowMs = clock.now();
  const maintained = listTargetsAt(await readEntries(stores, accountId), nowMs);
  const withTags = maintained.length > 0;
  const [monitorTallies, scenarioTallies, openIncidents, stuck] = await Promise.all([
    overview.resources(accountId, { kind: 'monitor', withTags }),
    overview.resources(accountId, { kind: 'scenario', withTags }),
    overview.openIncidents(accountId),
    findStuck(),
  ]);
  // A status is stored before its resource. A resource without a status must therefore be in deletion.
  const healthOf = await findHealths(stores, accountId, [...monitorTallies, ...scenarioTallies]);
  const counted = (tallies: readonly AccountTally[]): readonly Counted[] =>
    tallies.map((tally) => ({
      groupKey: tally.groupKey,
      status: shownStatus(tally, healthOf(tally), { nowMs, maintained }),
    }));
  const monitors = counted(monitorTallies);
  return {
    monitors: countTally(monitors),
    scenarios: countTally(counted(scenarioTallies)),
    groups: groupCounted(monitors),
    openIncidents,
    stuck: listStuck(stuck, accountId),
  };
}

/** Lists the stuck workflows of the account, at most one per resource. */
function listStuck(all: readonly StuckWorkflow[], accountId: string): Overview['stuck'] {
  const own = all.flatMap(({ resourceType: type, resourceId: id, ...workflow }) =>
    workflow.accountId === accountId && type !== null && id !== null ? [{ type, id }] : [],
  );
  return [...new Map(own.map((resource) => [resource.id, resource])).values()];
}

type HealthOf = (tally: AccountTally) => Health | null;

/**
 * Builds a function that returns the health of a resource. If no status is stored, the function returns null for a
 * resource that is being deleted, and `up` for any other resource.
 */
async function findHealths(
  { overview, statuses }: Dependencies['stores'],
  accountId: string,
  tallies: readonly AccountTally[],
): Promise<HealthOf> {
  const deleting = tallies.filter(({ state }) => state === 'deleting').map(({ id }) => id);
  const [notUp, ofDeleting] = await Promise.all([
    overview.statusesNotUp(accountId),
    statuses.findMany(accountId, deleting),
  ]);
  const known = new Map([...notUp, ...ofDeleting].map(({ id, health }) => [id, health]));
  return ({ id, state }) => known.get(id) ?? (state === 'deleting' ? null : 'up');
}

interface Now {
  readonly nowMs: number;
  readonly maintained: readonly MaintenanceTarget[];
}

/** Returns the shown status. The rule must be the same as in presentService. */
function shownStatus(tally: AccountTally, health: Health | null, now: Now): Status {
  if (isPausedAt(tally, now.nowMs)) return 'paused';
  if (health === null) return 'pending';
  return now.maintained.some((target) => isTargeted(target, tally)) ? 'maintenance' : health;
}

function groupCounted(counted: readonly Counted[]): Overview['groups'] {
  const members = new Map<string, Counted[]>();
  for (const one of counted) {
    const others = members.get(one.groupKey);
    if (others === undefined) members.set(one.groupKey, [one]);
    else others.push(one);
  }
  return [...members]
    .map(([groupKey, group]) => ({ groupKey, ...countTally(group) }))
    .sort((a, b) => (a.groupKey < b.groupKey ? -1 : 1));
}

function countTally(counted: readonly Counted[]): Tally {
  const byStatus: Record<Status, number> = {
    up: 0,
    degraded: 0,
    down: 0,
    maintenance: 0,
    paused: 0,
    pending: 0,
    unknown: 0,
  };
  for (const { status } of counted) byStatus[status] += 1;
  return { total: counted.length, byStatus };
}
