/** Tests the explanation of why people were or were not notified of an incident. */
import {
  type ExplainedDelivery,
  type ExplainedIncident,
  explainIncident,
  wasNotified,
} from '../../../src/domain/alerting/explain-incident';

const BARE: ExplainedIncident = {
  openedAtMs: 100,
  closedAtMs: null,
  cause: null,
  regions: [],
  answers: [],
  deliveries: [],
};
const EXPLAINED_BY = {
  kind: 'monitor',
  id: 'mon_router',
  name: 'Router',
  incidentId: 'inc_router',
  atMs: 200,
  untilMs: null,
} as const;

function delivery(change: Partial<ExplainedDelivery> = {}): ExplainedDelivery {
  const base = { kind: 'failure', recipient: 'ops', status: 'sent' } as const;
  return { ...base, createdAtMs: 300, sentAtMs: 400, attempts: [], ...change };
}

const textsOf = (change: Partial<ExplainedIncident>) =>
  explainIncident({ ...BARE, ...change }).map(({ text }) => text);
/** Returns the sentences after the first sentence, which describes the failure. */
const saidOf = (change: Partial<ExplainedIncident>) => textsOf(change).slice(1);

describe('the failure', () => {
  it('the explanation of a failure names its regions and its cause if they are known', () => {
    expect(textsOf({})).toEqual(['Failed.']);
    const cause = { code: 'timeout', message: 'It timed out.' } as const;
    expect(textsOf({ regions: ['eu', 'us'], cause })).toEqual([
      'Failed in eu and us: It timed out.',
    ]);
  });

  it('the explanation of a failure states its counts in the correct singular or plural', () => {
    const evidence = { slotMs: 90, failures: 2, failuresBeforeDown: 3, quorum: 1 };
    const said = explainIncident({ ...BARE, evidence: { ...evidence, regions: 2, failing: 1 } });
    expect(said[0]).toEqual({
      atMs: 90,
      topic: 'check',
      text: '1 of 2 regions failed (1 needed); 2 failed checks in a row (3 needed).',
    });
    const of = (count: number) => {
      const all = { ...evidence, regions: count, failing: count, failures: 1 };
      return textsOf({ evidence: all })[0];
    };
    expect([1, 2, 3].map(of)).toEqual([
      'The only region failed (1 needed); 1 failed check (3 needed).',
      'Both regions failed (1 needed); 1 failed check (3 needed).',
      'All 3 regions failed (1 needed); 1 failed check (3 needed).',
    ]);
  });
});

describe('a decision', () => {
  const notified = [{ reason: 'notified', atMs: 150 }] as const;

  it('a decision to notify is explained as queued only if there is a delivery or an escalation', () => {
    const handed = 'The failure alert was queued.';
    expect(saidOf({ decisions: notified, deliveries: [delivery()] })[0]).toBe(handed);
    const escalation = [{ atMs: 160, topic: 'policy', text: 'A step was due.' }] as const;
    expect(saidOf({ decisions: notified, escalation })).toEqual([handed, 'A step was due.']);
    expect(saidOf({ decisions: notified })).toEqual([
      'A failure alert was due, but no channel or email address is set up to receive it.',
    ]);
  });

  it('the explanation of a decision names the dependency, and says whether the dependency was down or had failed a check', () => {
    const decisions = [{ reason: 'dependency', atMs: 200 }] as const;
    expect(saidOf({ decisions })).toEqual(['No alert was sent: what it depends on had failed.']);
    expect(saidOf({ decisions, explainedBy: EXPLAINED_BY })).toEqual([
      'No alert was sent: it depends on “Router”, which was down; its alert covers this one.',
    ]);
    expect(saidOf({ decisions, explainedBy: { ...EXPLAINED_BY, incidentId: null } })).toEqual([
      'No alert was sent: it depends on “Router”, which had failed its last check; its alert covers this one.',
    ]);
  });

  it('the explanation of flapping names the alert that the notice replaced: of the failure or of the recovery', () => {
    const decisions = [
      { reason: 'notified', atMs: 150 },
      { reason: 'flapping_began', atMs: 500 },
    ] as const;
    const notice = delivery({ kind: 'flapping', createdAtMs: 500, sentAtMs: 510 });
    expect(saidOf({ closedAtMs: 500, decisions, deliveries: [delivery(), notice] })).toEqual([
      'The failure alert was queued.',
      'The failure alert to ops was sent.',
      'This recovery was its fourth change within 30 minutes: a flapping notice replaced the recovery alert.',
      'The flapping notice to ops was sent.',
    ]);
    const failure =
      'This failure was its fourth change within 30 minutes: a flapping notice replaced the failure alert.';
    const began = decisions.slice(1);
    expect(saidOf({ decisions: began })).toEqual([failure]);
    expect(saidOf({ closedAtMs: 900, decisions: began })).toEqual([failure]);
  });

  it('the explanation of a decision mentions no dependency if the decision has another reason', () => {
    const decisions = [{ reason: 'muted', atMs: 200 }] as const;
    expect(saidOf({ decisions, explainedBy: EXPLAINED_BY })).toEqual([
      'No alert was sent: it was in maintenance, outside of its hours, or the run was not to notify anyone.',
    ]);
  });

  it('the explanation of a decision does not mention a dependency that has recovered', () => {
    const explainedBy = { ...EXPLAINED_BY, untilMs: 500 };
    expect(explainIncident({ ...BARE, explainedBy }).at(-1)).toEqual({
      atMs: 500,
      topic: 'dependency',
      text: '“Router” no longer explained the failure.',
    });
    expect(saidOf({ explainedBy: EXPLAINED_BY })).toEqual([]);
  });
});

describe('a delivery', () => {
  const tries = [
    { atMs: 310, detail: 'The server was busy.' },
    { atMs: 320, detail: 'Receiver response: 503.' },
  ];
  const toldOf = (change: Partial<ExplainedDelivery>) =>
    explainIncident({ ...BARE, deliveries: [delivery(change)] })[1];

  it('a delivery that was sent has its time and the number of tries', () => {
    const text = 'The failure alert to ops was sent.';
    expect(toldOf({ attempts: tries.slice(0, 1) })).toEqual({ atMs: 400, topic: 'delivery', text });
    expect(toldOf({ sentAtMs: null })?.atMs).toBe(300);
    expect(toldOf({ attempts: tries })?.text).toBe(
      'The failure alert to ops was sent after 2 tries.',
    );
  });

  it('a delivery that is pending is described as on its way', () => {
    const told = toldOf({ status: 'pending', attempts: tries });
    const text = 'The failure alert to ops is on its way after 2 tries.';
    expect(told).toEqual({ atMs: 300, topic: 'delivery', text });
  });

  it('a delivery that failed or was suppressed has the reason and the time of its last try', () => {
    expect(toldOf({ status: 'failed', attempts: tries })).toEqual({
      atMs: 320,
      topic: 'delivery',
      text: 'The failure alert to ops was not delivered after 2 tries. Receiver response: 503.',
    });
    const text = 'The failure alert to ops was not sent by itself.';
    expect(toldOf({ status: 'suppressed' })).toEqual({ atMs: 300, topic: 'delivery', text });
  });
});

it('the sentences of an explanation are in order of time, and then in order of topics', () => {
  const told = explainIncident({
    ...BARE,
    decisions: [{ reason: 'silenced', atMs: 250 }],
    answers: [
      { atMs: 50, text: 'earlier' },
      { atMs: 250, text: 'Ann acknowledged it.' },
    ],
  });
  expect(told.map(({ atMs, topic }) => [atMs, topic])).toEqual([
    [50, 'answer'],
    [100, 'check'],
    [250, 'answer'],
    [250, 'answer'],
  ]);
  expect(told.at(-1)?.text).toBe('Ann acknowledged it.');
});

describe('incidents of which people were notified', () => {
  const of = (
    reason: 'notified' | 'muted' | 'flapping_began' | 'flapping_again' | 'stayed_down',
  ) => ({
    decisions: [{ reason, atMs: 1 }],
    deliveries: [],
  });

  it('people count as notified of an incident if an alert or a notice was due', () => {
    for (const reason of ['notified', 'flapping_began', 'flapping_again', 'stayed_down'] as const)
      expect(wasNotified(of(reason))).toBe(true);
    expect(wasNotified(of('muted'))).toBe(false);
    expect(wasNotified({ deliveries: [] })).toBe(false);
  });

  it('people count as notified of an escalated incident once a step was due', () => {
    expect(wasNotified(of('notified'), 'awaited')).toBe(false);
    expect(wasNotified(of('stayed_down'), 'awaited')).toBe(true);
    expect(wasNotified(of('muted'), 'notified')).toBe(true);
  });

  it('people count as notified if a reminder was due or a failure alert was sent, but other deliveries do not count', () => {
    expect(wasNotified({ deliveries: [delivery({ kind: 'reminder' })] })).toBe(true);
    expect(wasNotified({ deliveries: [delivery({ status: 'sent' })] })).toBe(true);
    expect(wasNotified({ deliveries: [delivery({ status: 'failed' })] })).toBe(false);
    expect(wasNotified({ deliveries: [delivery({ kind: 'recovery' })] })).toBe(false);
  });
});
