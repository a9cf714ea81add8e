/**
 * Tests how responses and the timeline show the dependencies that explain an incident, and the incidents that this
 * incident explains.
 */
import type { Incident } from '../../../src/models/alerting/incidents';
import { findExplainedIncidents } from '../../../src/services/alerting/explained-incidents';
import {
  buildExplanationEntries,
  presentExplanation,
} from '../../../src/services/alerting/present-explanation';

function incident(resourceId: string, by: string | null, atMs = 1_000): Incident {
  const explained = {
    kind: 'monitor',
    name: String(by),
    incidentId: null,
    atMs,
    untilMs: null,
  } as const;
  return {
    id: `inc_${resourceId}`,
    accountId: 'acc',
    resourceType: 'monitor',
    resourceId,
    openedAtMs: 500,
    closedAtMs: null,
    ...(by !== null && { explainedBy: { ...explained, id: by } }),
  } as Incident;
}

const ALL = [
  incident('shop', 'router'),
  incident('cart', 'shop', 2_000),
  incident('mail', 'router', 3_000),
  incident('other', 'uplink'),
];

const stores = {
  incidents: {
    explainedBy: async (_account: string, ids: readonly string[]) =>
      ALL.filter(({ explainedBy }) => explainedBy !== undefined && ids.includes(explainedBy.id)),
  },
  dependencies: {
    nodes: async (_account: string, ids: readonly string[] = []) =>
      ids
        .filter((id) => id !== 'mail')
        .map((id) => ({
          kind: 'monitor' as const,
          id,
          key: null,
          name: `The ${id}`,
          dependsOn: [],
        })),
    hasDependents: async () => true,
  },
};

test('an incident lists the direct and indirect dependents whose failures it explains, deleted ones without a name', async () => {
  const found = await findExplainedIncidents(stores, {
    accountId: 'acc',
    resourceId: 'router',
    openedAtMs: 0,
    closedAtMs: null,
  });
  const { explains, explainedBy } = presentExplanation({}, found);
  expect(explainedBy).toBeNull();
  expect(explains.count).toBe(3);
  expect(explains.incidents.map(({ resourceName }) => resourceName).toSorted()).toEqual([
    'The cart',
    'The shop',
    'deleted',
  ]);
  expect(buildExplanationEntries([{}], found)).toEqual([
    { atMs: 1_000, kind: 'explains', text: 'Explains 3 more: The shop, deleted, The cart.' },
  ]);
});

test('a dependency that explained a failure is shown with the start and end of its explanation', () => {
  const by = { kind: 'monitor', id: 'router', name: 'Router', incidentId: 'inc_1' } as const;
  const explainedBy = { ...by, atMs: 1_000, untilMs: 9_000 };
  const nothing = { incidents: [], names: new Map<string, string>() };
  expect(presentExplanation({ explainedBy }, nothing).explainedBy).toMatchObject({
    resourceName: 'Router',
    at: '1970-01-01T00:00:01.000Z',
    until: '1970-01-01T00:00:09.000Z',
  });
  expect(
    buildExplanationEntries([{ explainedBy }], nothing).map(({ atMs, kind }) => [atMs, kind]),
  ).toEqual([
    [1_000, 'explained'],
    [9_000, 'explained'],
  ]);
});
