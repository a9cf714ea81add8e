/**
 * Tests how failures of a resource become incidents with episodes, for random histories.
 *
 * Covers:
 * - models/alerting/save-incident
 * - models/alerting/whole-incidents
 */
import fc from 'fast-check';
import type { AlertDecision } from '../../../src/contracts/records';
import { createRecordWrites } from '../../../src/models';
import type { IncidentChange } from '../../../src/models/alerting/save-incident';
import { EPISODES_MAX } from '../../../src/models/alerting/whole-incidents';
import type { RecordWrites } from '../../../src/models/results/record-writes';
import type { Stores } from '../../../src/models/stores';
import { propertyOptions } from '../../support/property-runs';
import { createRandom } from '../../support/random';
import { FIRST_SLOT_MS, newId } from '../example-records';
import { withStores } from '../with-stores';

const MINUTE = 60_000;
const RESOURCES = ['mon_a', 'mon_b', 'mon_c'];

const db = withStores();
let writes: RecordWrites;

beforeAll(async () => {
  writes = createRecordWrites(db.database);
});

interface Failure {
  readonly upMinutes: number;
  readonly downMinutes: number;
  readonly reason: AlertDecision['reason'];
}

const anyFailure: fc.Arbitrary<Failure> = fc.record({
  upMinutes: fc.constantFrom(1, 2, 4, 5, 6, 9, 40),
  downMinutes: fc.integer({ min: 1, max: 12 }),
  reason: fc.constantFrom('notified', 'notified', 'muted', 'flapping', 'flapping_began'),
});
const anyHistory = fc.record({
  failures: fc.array(fc.array(anyFailure, { maxLength: 8 }), { minLength: 3, maxLength: 3 }),
  /** For each resource, true if its last failure is still open. */
  isOpen: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  order: fc.integer(),
});
type History = typeof anyHistory extends fc.Arbitrary<infer Value> ? Value : never;

function incidentsOf(accountId: string, { failures, isOpen }: History): readonly IncidentChange[] {
  return failures.flatMap((own, resource) => {
    let atMs = FIRST_SLOT_MS + resource * 100;
    return own.map(({ upMinutes, downMinutes, reason }, index) => {
      const openedAtMs = atMs + upMinutes * MINUTE;
      atMs = openedAtMs + downMinutes * MINUTE;
      const continues = isOpen[resource] === true && index === own.length - 1;
      return {
        id: newId('incident', openedAtMs),
        accountId,
        resourceType: 'monitor',
        resourceId: RESOURCES[resource] ?? '',
        openedAtMs,
        closedAtMs: continues ? null : atMs,
        cause: null,
        regions: [],
        firstResultId: null,
        firstRunId: null,
        decisions: [{ atMs: openedAtMs, reason }],
      } as const;
    });
  });
}

/**
 * Groups episodes into incidents as the definition of an incident requires. Sorts the incidents by their last episode,
 * newest first.
 */
function wholesOf(incidents: readonly IncidentChange[]): readonly (readonly IncidentChange[])[] {
  const wholes: IncidentChange[][] = [];
  const lastOf = new Map<string, IncidentChange[]>();
  for (const incident of incidents) {
    const whole = lastOf.get(incident.resourceId);
    const gapMs = incident.openedAtMs - (whole?.at(-1)?.closedAtMs ?? 0);
    const isFlap = incident.decisions?.[0]?.reason.startsWith('flapping') ?? false;
    if (whole !== undefined && (isFlap || gapMs < 5 * MINUTE)) whole.push(incident);
    else {
      const begun = [incident];
      lastOf.set(incident.resourceId, begun);
      wholes.push(begun);
    }
  }
  const lastId = (whole: readonly IncidentChange[]): string => whole.at(-1)?.id ?? '';
  return wholes.toSorted((a, b) => (lastId(a) < lastId(b) ? 1 : -1));
}

/** Opens and closes each incident, in any order, and repeats some writes. */
async function record(incidents: readonly IncidentChange[], seed: number): Promise<void> {
  const random = createRandom(seed);
  const all = incidents.flatMap((incident) => [
    { ...incident, closedAtMs: null },
    ...(incident.closedAtMs === null ? [] : [incident]),
  ]);
  const saves = [...all, ...all.filter(() => random() < 0.3)]
    .map((save) => ({ save, at: random() }))
    .toSorted((a, b) => a.at - b.at);
  for (const { save } of saves) await writes.saveIncident(save);
}

type Query = Omit<Parameters<Stores['wholeIncidents']['page']>[1], 'limit' | 'beforeId'>;

async function readAll(accountId: string, query: Query): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let beforeId: string | null = null; ; beforeId = ids.at(-1) ?? null) {
    const page = await db.stores.wholeIncidents.page(accountId, { ...query, limit: 2, beforeId });
    ids.push(...page.items.map(({ id }) => id));
    if (!page.hasMore) return ids;
  }
}

test('failures with only a short recovery between them are one incident, in any order of saving', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (history) => {
      const accountId = newId('account');
      const incidents = incidentsOf(accountId, history);
      await record(incidents, history.order);
      const wholes = wholesOf(incidents);
      const idsOf = (some: typeof wholes): readonly string[] =>
        some.map((all) => all.at(-1)?.id ?? '');
      const any = { resourceId: null };
      expect(await readAll(accountId, any)).toEqual(idsOf(wholes));
      const open = wholes.filter((all) => all.at(-1)?.closedAtMs === null);
      expect(await readAll(accountId, { ...any, state: 'unresolved' })).toEqual(idsOf(open));
      const over = wholes.filter((all) => !open.includes(all));
      expect(await readAll(accountId, { ...any, state: 'resolved' })).toEqual(idsOf(over));
      const own = wholes.filter(([first]) => first?.resourceId === 'mon_b');
      expect(await readAll(accountId, { resourceId: 'mon_b' })).toEqual(idsOf(own));
      const [fromMs, toMs] = [FIRST_SLOT_MS + 20 * MINUTE, FIRST_SLOT_MS + 40 * MINUTE];
      const within = wholes.filter(
        (all) => (all.at(-1)?.openedAtMs ?? 0) >= fromMs && (all[0]?.openedAtMs ?? 0) < toMs,
      );
      expect(await readAll(accountId, { ...any, fromMs, toMs })).toEqual(idsOf(within));
      for (const whole of wholes) {
        for (const { id } of whole) {
          const last = await db.stores.wholeIncidents.findLast(accountId, id);
          expect(last?.id).toBe(whole.at(-1)?.id);
          if (last === null) continue;
          const episodes = await db.stores.wholeIncidents.episodes(last);
          expect(episodes.map((episode) => episode.id)).toEqual(whole.map((one) => one.id));
          const before = whole.slice(0, -1);
          const downMs = before.reduce(
            (sum, one) => sum + (one.closedAtMs ?? 0) - one.openedAtMs,
            0,
          );
          expect(last.earlier).toEqual(
            before.length === 0
              ? undefined
              : {
                  firstId: whole[0]?.id,
                  firstOpenedAtMs: whole[0]?.openedAtMs,
                  count: before.length,
                  downMs,
                },
          );
          expect(await db.stores.wholeIncidents.findLast(newId('account'), id)).toBeNull();
        }
      }
    }),
    propertyOptions(4),
  );
});

test('an incident with too many episodes shows the newest episodes and counts all episodes', async () => {
  const accountId = newId('account');
  const failures = Array.from({ length: EPISODES_MAX + 5 }, () => ({
    upMinutes: 1,
    downMinutes: 1,
    reason: 'flapping' as const,
  }));
  const incidents = incidentsOf(accountId, {
    failures: [failures],
    isOpen: [false],
    order: 0,
  });
  for (const incident of incidents) await writes.saveIncident(incident);
  const last = await db.stores.wholeIncidents.findLast(accountId, incidents[0]?.id ?? '');
  if (last === null) throw new Error('there is no incident');
  expect(last.earlier).toMatchObject({ firstId: incidents[0]?.id, count: EPISODES_MAX + 4 });
  const shown = await db.stores.wholeIncidents.episodes(last);
  expect(shown.map(({ id }) => id)).toEqual(incidents.slice(-EPISODES_MAX).map(({ id }) => id));
});
