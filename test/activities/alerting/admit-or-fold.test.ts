/**
 * Tests which alerts get a workflow and which go into a digest. The database, the digest and Temporal are available,
 * unavailable or silent.
 */
import {
  type AdmissionNeeds,
  createAlertAdmission,
} from '../../../src/activities/alerting/admit-or-fold';
import { createFoldBatches } from '../../../src/activities/alerting/fold-batches';
import type { AlertInput, AlertMessage, FoldedAlert } from '../../../src/contracts/alerts';
import type { Admission } from '../../../src/contracts/digests';
import type { FoundPolicy } from '../../../src/contracts/escalation';
import { isWithinBurst, toBurstMinute } from '../../../src/domain/alerting/burst-rule';
import { buildAlert, webhookTarget } from '../../support/alert-message';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const POLICY: FoundPolicy = { policyName: 'p', steps: [], quietHours: null, lastResort: null };
const away = async (): Promise<never> => Promise.reject(new Error('away'));
const silent = (): Promise<never> => new Promise(() => undefined);

/** A database and a digest in memory that store and count as the real ones do. */
function createNeeds(changes: Partial<AdmissionNeeds> = {}) {
  const asked: string[] = [];
  const counts = new Map<number, number>();
  const signals: (readonly FoldedAlert[])[] = [];
  const noted = new Map<string, 'begun' | 'done'>();
  const foldingIncidents = new Set<string>();
  const given: AdmissionNeeds = {
    findPolicy: async () => null,
    isEscalating: async () => false,
    findTargets: async ({ recipients }) => recipients.targets,
    readFolding: async ({ id }) => noted.get(id) ?? null,
    isIncidentFolding: async (_account, incidentId) => foldingIncidents.has(incidentId),
    count: async ({ atMs }) => {
      const minute = toBurstMinute(atMs);
      const now = (counts.get(minute) ?? 0) + 1;
      counts.set(minute, now);
      return isWithinBurst({ now, before: counts.get(minute - 1) ?? 0 }, atMs);
    },
    noteFolding: async ({ alert }) => {
      noted.set(alert.id, 'begun');
      if (alert.incidentId !== null) foldingIncidents.add(alert.incidentId);
    },
    fold: createFoldBatches(async (batch) => void signals.push(batch)),
    logger: { warn: () => undefined },
    ...changes,
  };
  const spied: AdmissionNeeds = {
    ...given,
    count: (alert) => {
      asked.push('count');
      return given.count(alert);
    },
    fold: (folded) => {
      asked.push('fold');
      return given.fold(folded);
    },
  };
  const { admitOrFold } = createAlertAdmission(spied);
  return { admitOrFold, asked, signals, noted };
}

function input(
  changes: Partial<AlertMessage> = {},
  keys: readonly string[] = ['mail'],
): AlertInput {
  return {
    v: 1,
    alert: buildAlert(changes),
    recipients: { channels: [], targets: keys.map(webhookTarget) },
  };
}

async function ended(admission: Promise<Admission>): Promise<Admission> {
  await jest.runAllTimersAsync();
  return admission;
}

test('2,000 alerts of one account need only ten child workflows and ten signals', async () => {
  const { admitOrFold, signals } = createNeeds();
  const all = Array.from({ length: 2_000 }, (_, index) => input({ id: `${index}` }));
  const asked = Promise.all(all.map(admitOrFold));
  await jest.runAllTimersAsync();
  const admissions = await asked;
  expect(admissions.filter((one) => one === 'send')).toHaveLength(10);
  expect(admissions.filter((one) => one === 'in digest')).toHaveLength(1_990);
  const inDigest = signals.flat().map(({ alert }) => alert.id);
  expect(inDigest).toEqual(all.slice(10).map(({ alert }) => alert.id));
  expect(signals.length).toBe(10);
});

const tooMany: Partial<AdmissionNeeds> = { count: async () => false };

test.each<[string, Admission, Partial<AlertMessage>, Partial<AdmissionNeeds>, readonly string[]]>([
  ['has an alert policy', 'undecided', {}, { ...tooMany, findPolicy: async () => POLICY }, []],
  [
    'ends an escalation under way',
    'undecided',
    { kind: 'recovery' },
    { ...tooMany, isEscalating: async () => true },
    [],
  ],
  ['has no recipients', 'send', {}, { ...tooMany, findTargets: async () => [] }, []],
  [
    'has only fallback recipients',
    'send',
    {},
    { ...tooMany, findTargets: async () => [{ ...webhookTarget('x'), isStandby: true }] },
    [],
  ],
  ['is within the burst', 'send', {}, {}, ['count']],
  ['exceeds the burst', 'in digest', {}, tooMany, ['count', 'fold']],
  [
    'was folded by a worker that was lost',
    'in digest',
    {},
    { readFolding: async () => 'begun' },
    ['fold'],
  ],
  ['was sent with a digest', 'in digest', {}, { readFolding: async () => 'done' }, []],
  [
    'is the recovery of an alert that waits in a digest',
    'in digest',
    { kind: 'recovery' },
    { isIncidentFolding: async () => true },
    ['fold'],
  ],
  [
    'is another failure of an alert that waits in a digest',
    'send',
    {},
    { isIncidentFolding: async () => true },
    ['count'],
  ],
])('an alert that %s gets the decision “%s”', async (_what, admission, changes, needs, calls) => {
  const { admitOrFold, asked } = createNeeds(needs);
  expect(await ended(admitOrFold(input(changes)))).toBe(admission);
  expect(asked).toEqual(calls);
});

const DATABASE = ['findPolicy', 'findTargets', 'readFolding', 'count'] as const;

test.each(DATABASE)(
  'if the decision between alert and digest fails (%s), the workflow of the alert starts and decides',
  async (question) => {
    for (const answer of [away, silent]) {
      const { admitOrFold, signals } = createNeeds({ ...tooMany, [question]: answer });
      expect(await ended(admitOrFold(input()))).toBe('undecided');
      expect(signals).toEqual([]);
    }
  },
);

test.each([
  ['the database fails to store the alert', { noteFolding: away }],
  ['the database does not respond', { noteFolding: silent }],
  ['Temporal does not accept the signal to the digest', { fold: away }],
])(
  'if %s, an alert over the burst limit starts its own workflow, which puts the alert into a digest',
  async (_what, needs) => {
    const { admitOrFold } = createNeeds({ ...tooMany, ...needs });
    expect(await ended(admitOrFold(input()))).toBe('fold');
  },
);

test('a repeated call puts an alert into the same digest, even if the burst limit now allows the alert', async () => {
  let isAdmitted = false;
  const { admitOrFold, signals } = createNeeds({ count: async () => isAdmitted });
  expect(await ended(admitOrFold(input()))).toBe('in digest');
  isAdmitted = true;
  expect(await ended(admitOrFold(input()))).toBe('in digest');
  expect(new Set(signals.flat().map(({ alert }) => alert.id)).size).toBe(1);
});
