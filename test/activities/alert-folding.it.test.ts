/**
 * Tests alert folding on a real database. The tests pass each alert to a digest twice, because a sender may die after
 * it has passed the alert on and then repeat the call. Also tests the escalation steps of an incident that was
 * acknowledged in the meantime.
 */

import {
  createAdmissionActivities,
  createAlertActivities,
} from '../../src/activities/alert-activities';
import { INCIDENT_ALERTS } from '../../src/activities/find-hold-reason';
import type { AlertMessage, FoldedAlert } from '../../src/contracts/alerts';
import { destinationContext, STORED_SECRET_PURPOSE } from '../../src/contracts/seal-contexts';
import { UNANSWERED } from '../../src/models/alerting/incidents';
import type { Stores } from '../../src/models/stores';
import { systemClock as clock } from '../../src/platform/clock';
import { createTextSealer } from '../../src/platform/sealing';
import { newId } from '../models/example-records';
import { withStores } from '../models/with-stores';

const sealer = createTextSealer(['ab'.repeat(32)], STORED_SECRET_PURPOSE);
const db = withStores();
let handedOver: string[];

beforeEach(() => {
  handedOver = [];
});

function dependencies(alerts: Stores['alerts']) {
  return {
    channels: db.stores.alertChannels,
    alerts,
    bursts: db.stores.alertBursts,
    incidents: db.stores.incidents,
    wholeIncidents: db.stores.wholeIncidents,
    dependencies: db.stores.dependencies,
    fold: async ({ alert }: FoldedAlert) => {
      handedOver.push(alert.id);
    },
    clock,
    logger: { warn: () => undefined },
  };
}

function activities(alerts: Stores['alerts'] = db.stores.alerts) {
  const send = async () => ({ kind: 'sent', detail: 'taken' }) as const;
  return createAlertActivities({
    ...dependencies(alerts),
    accounts: db.stores.accounts,
    resources: db.stores,
    results: db.stores.results,
    evidence: db.stores.evidence,
    sealer,
    send,
    readSecrets: async () => [],
  });
}

/** Admission of alerts for resources without an alert policy. */
function admission() {
  return createAdmissionActivities({
    ...dependencies(db.stores.alerts),
    findPolicy: async () => null,
    isEscalating: async () => false,
  });
}

function foldedAlert(id: string, kind: 'failure' | 'recovery' = 'failure'): FoldedAlert {
  const target = {
    key: 'mail',
    type: 'email',
    channelId: null,
    masked: 'a…',
    sealed: 's',
  } as const;
  return {
    alert: {
      id,
      kind,
      accountId: newId('account'),
      incidentId: null,
      resourceType: 'monitor',
      resourceId: newId('monitor'),
      resourceName: 'm',
      atMs: Date.now(),
      sinceMs: Date.now(),
      openedAtMs: null,
      health: 'down',
      ends: [],
      certificate: null,
      cause: null,
      regions: [],
      assertion: null,
      entries: [],
    },
    targets: [target],
  };
}

test('an alert that one digest has sent is not passed to another digest', async () => {
  const { foldIntoDigest, keepFolded } = activities();
  const folded = foldedAlert('told');
  await foldIntoDigest(folded);
  await keepFolded([folded]);
  await foldIntoDigest(folded);
  expect(handedOver).toEqual(['told']);
});

test('an alert that no digest has sent yet is passed to the next digest', async () => {
  const { foldIntoDigest, keepFolded } = activities();
  const folded = foldedAlert('waiting');
  await keepFolded([foldedAlert('another')]);
  await foldIntoDigest(folded);
  await foldIntoDigest(folded);
  expect(handedOver).toEqual(['waiting', 'waiting']);
});

test('an alert is passed to a digest even while the database is away', async () => {
  const away = async () => Promise.reject(new Error('the database is away'));
  const { foldIntoDigest } = activities({ ...db.stores.alerts, findSuppressed: away });
  await foldIntoDigest(foldedAlert('owed'));
  expect(handedOver).toEqual(['owed']);
});

test('beyond ten alerts per minute, an alert goes into a digest before its workflow starts', async () => {
  const { admitOrFold } = admission();
  const accountId = newId('account');
  const about = (id: string, changes: Partial<AlertMessage> = {}): FoldedAlert => {
    const { alert, targets } = foldedAlert(id);
    return { alert: { ...alert, accountId, incidentId: `inc_${id}`, ...changes }, targets };
  };
  const admit = ({ alert, targets }: FoldedAlert) =>
    admitOrFold({ v: 1, alert, recipients: { channels: [], targets } });
  const atMs = Date.now();
  for (let count = 1; count <= 10; count += 1)
    expect(await admit(about(`${count}`, { atMs }))).toBe('send');
  const eleventh = about('11', { atMs });
  expect(await admit(eleventh)).toBe('in digest');
  const { items } = await db.stores.alerts.page(accountId, {
    ...INCIDENT_ALERTS,
    incidentId: 'inc_11',
  });
  expect(items.map(({ status, attempts }) => [status, attempts])).toEqual([['pending', []]]);
  // A repeated call may come so late that the counts of its minute are already deleted.
  await db.database.models.alertBursts.deleteMany({});
  expect(await admit(eleventh)).toBe('in digest');
  const recovery = about('end', { kind: 'recovery', incidentId: 'inc_11', atMs });
  expect(await admit(recovery)).toBe('in digest');
  expect(handedOver).toEqual(['11', '11', 'end']);
  await activities().keepFolded([eleventh, recovery]);
  expect(await admit(eleventh)).toBe('in digest');
  const deliveries = [eleventh, about('12')].flatMap(({ alert, targets }) =>
    targets.map((target) => ({ alert, target })),
  );
  expect(await activities().findReported({ accountId, deliveries })).toEqual(['11']);
  expect(await admit(about('later', { kind: 'recovery', incidentId: 'inc_11' }))).toBe('send');
  expect(handedOver).toHaveLength(3);
});

test('a recipient limited to some kinds of alerts also gets test alerts and digests', async () => {
  const { alert, targets } = foldedAlert('kinds');
  const chosen = targets.map((target) => ({ ...target, onlyKinds: ['failure'] as const }));
  const kinds = [
    'failure',
    'recovery',
    'reminder',
    'degraded',
    'certificate',
    'digest',
    'test',
  ] as const;
  const { findRecipients } = activities();
  const taken = [];
  for (const kind of kinds) {
    const about = { ...alert, id: kind, kind };
    const recipients = { channels: [], targets: chosen };
    const found = await findRecipients({ v: 1, alert: about, recipients });
    if (found.length > 0) taken.push(kind);
  }
  expect(taken).toEqual(['failure', 'digest', 'test']);
});

async function incidentOf(answers: object): Promise<{ accountId: string; incidentId: string }> {
  const [accountId, incidentId] = [newId('account'), newId('incident')];
  await db.database.models.incidents.create([
    {
      _id: incidentId,
      accountId,
      resourceType: 'monitor',
      resourceId: newId('monitor'),
      openedAtMs: 0,
      closedAtMs: null,
      cause: null,
      regions: [],
      ...UNANSWERED,
      ...answers,
      open: true,
      changedAtMs: 0,
    },
  ]);
  return { accountId, incidentId };
}

test('an escalation sends the recovery only to people it has notified, and after their pending failure alert', async () => {
  const { accountId, incidentId } = await incidentOf({ closedAtMs: 1 });
  const { deliverAlert, saveDelivery } = activities();
  const address = { type: 'webhook', config: { url: 'https://example.com/' } };
  const sealed = sealer.seal(JSON.stringify(address), destinationContext(accountId));
  const { alert, targets } = foldedAlert('end', 'recovery');
  const escalation = { policyName: 'p', step: 2, steps: 2, lastResort: null };
  const about = { ...alert, accountId, incidentId, escalation };
  const outcomeAt = async (masked: string): Promise<string> => {
    const [target] = targets.map((one) => ({ ...one, key: masked, masked, sealed }));
    if (target === undefined) throw new Error('there is no target');
    return (await deliverAlert({ alert: about, target })).kind;
  };
  const note = async (masked: string, sequence: number, more: object) => {
    const [target] = targets.map((one) => ({ ...one, key: masked, masked, sealed }));
    if (target === undefined) throw new Error('there is no target');
    const step = { ...about, id: `step of ${masked}`, kind: 'failure' as const };
    const record = { alert: step, target, status: 'pending' as const, attempts: [], sequence };
    await saveDelivery({ ...record, ...more });
  };
  const [target] = targets;
  if (target === undefined) throw new Error('there is no target');
  await note('told', 2, { status: 'sent', attempts: [{ atMs: 1, outcome: 'sent', detail: '' }] });
  await note('late', 1, {});
  expect([await outcomeAt('told'), await outcomeAt('late')]).toEqual(['sent', 'later']);
  const second = { ...about, id: 'second', kind: 'failure' as const };
  const { kind, detail } = await deliverAlert({ alert: second, target: { ...target, sealed } });
  expect(kind).toBe('moot');
  await note('late', 2, {
    status: 'suppressed',
    attempts: [{ atMs: 1, outcome: 'failed', detail }],
  });
  expect([await outcomeAt('late'), await outcomeAt('unknown')]).toEqual(['moot', 'sent']);
});

test.each([
  ['an acknowledgement', 'acknowledged', 'moot', { acknowledgedAtMs: 1 }],
  ['an acknowledgement', 'recovered', 'sent', { acknowledgedAtMs: 1 }],
  ['a snooze', 'recovered', 'moot', { snoozedUntilMs: Date.now() + 3_600_000 }],
  ['the end of the incident', 'recovered', 'moot', { closedAtMs: 1 }],
] as const)(
  'after %s, an escalation step with `until: %s` gets the outcome `%s`',
  async (_what, until, outcome, answers) => {
    const { accountId, incidentId } = await incidentOf(answers);
    const { deliverAlert, findQuietIncidents } = activities();
    const [target] = foldedAlert('step').targets;
    if (target === undefined) throw new Error('there is no target');
    const address = { type: 'webhook', config: { url: 'https://example.com/' } };
    const sealed = sealer.seal(JSON.stringify(address), destinationContext(accountId));
    const escalation = { policyName: 'p', step: 2, steps: 2, lastResort: null, until };
    const { alert } = foldedAlert('step');
    const { kind } = await deliverAlert({
      alert: { ...alert, kind: 'reminder', accountId, incidentId, escalation },
      target: { ...target, sealed },
    });
    expect(kind).toBe(outcome);
    const quiet = await findQuietIncidents({ accountId, incidentIds: [incidentId], until });
    expect(quiet).toEqual(outcome === 'moot' ? [incidentId] : []);
  },
);
