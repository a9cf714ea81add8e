/**
 * Tests the notifications of a flapping check: how often they are sent, and what they report if the check continues to
 * flap or stays down.
 */
import type { AlertRules, AlertState, IncidentSilence } from '../../../src/contracts/alerts';
import type { Health } from '../../../src/contracts/records';
import { findReason } from '../../../src/domain/alerting/alert-decision';
import {
  type DueAlert,
  NO_ALERTS,
  nextAlerts,
  withSilence,
} from '../../../src/domain/alerting/alert-policy';
import { nextFlappingNewsMs, STAYS_DOWN_MS } from '../../../src/domain/alerting/flapping';
import { webhookTarget } from '../../support/alert-message';

const MINUTE = 60_000;
const RULES: AlertRules = {
  channels: [],
  targets: [webhookTarget('ops')],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
};

interface Sent extends DueAlert {
  readonly minute: number;
}

/** Simulates a check every minute. Each letter of `minutes` is one check: d is down, u is up, ? is unknown. */
class Life {
  state: AlertState = NO_ALERTS;
  minute = 0;
  readonly sent: Sent[] = [];
  readonly reasons: (string | null)[] = [];
  private sinceMs = 0;
  private health: Health = 'pending';
  private readonly rules: AlertRules;

  constructor(rules: Partial<AlertRules> = {}) {
    this.rules = { ...RULES, ...rules };
  }

  live(minutes: string): this {
    const words = { d: 'down', u: 'up', '?': 'unknown' } as const;
    for (const letter of minutes) {
      this.minute += 1;
      const atMs = this.minute * MINUTE;
      const health = words[letter === 'd' ? 'd' : letter === 'u' ? 'u' : '?'];
      if (health !== this.health) this.sinceMs = atMs;
      this.health = health;
      const opening = { id: `inc_${this.minute}`, cause: null, regions: [], firstRunId: null };
      const slot = { atMs, health, healthSinceMs: this.sinceMs, opening, isMuted: false };
      const verdict = nextAlerts(this.state, slot, this.rules);
      this.state = verdict.state;
      this.sent.push(...verdict.due.map((due) => ({ ...due, minute: this.minute })));
      this.reasons.push(findReason(verdict, slot, this.rules));
    }
    return this;
  }

  answer(change: Partial<IncidentSilence>): this {
    const { incident, silence } = this.state;
    this.state = withSilence(this.state, {
      incidentId: incident?.id ?? '',
      sequence: (silence?.sequence ?? 0) + 1,
      isAcknowledged: false,
      snoozedUntilMs: null,
      ...change,
    });
    return this;
  }

  get kinds(): readonly string[] {
    return this.sent.map(({ kind, minute }) => `${kind} ${minute}`);
  }
}

const FLAPPING = 'duduu';

test('the flapping notice states the number of outages and the start of the first outage', () => {
  const { sent } = new Life().live(FLAPPING);
  const notice = sent.find(({ kind }) => kind === 'flapping');
  expect(notice?.flapping).toEqual({ outages: 2, sinceMs: MINUTE, isAgain: false });
  expect(notice?.incident).toMatchObject({ id: 'inc_3', closedAtMs: 4 * MINUTE });
});

test('during flapping, the notice repeats with the current count, once an hour without reminders', () => {
  const life = new Life({ remindEveryMinutes: 10 }).live(FLAPPING).live('duuu'.repeat(16));
  const notices = life.sent.filter(({ kind }) => kind === 'flapping');
  expect(
    notices.map(({ minute, flapping }) => [minute, flapping?.outages, flapping?.isAgain]),
  ).toEqual([
    [4, 2, false],
    [34, 10, true],
    [66, 18, true],
  ]);
  // The notice belongs to the open incident, so that people can acknowledge it.
  expect(notices[1]?.incident?.closedAtMs).toBeNull();
  expect(life.reasons[33]).toBe('flapping_again');
  const unreminded = new Life().live(FLAPPING).live('duuu'.repeat(31));
  expect(unreminded.kinds.slice(3)).toEqual(['flapping 4', 'flapping 66', 'flapping 126']);
  const withPolicy = new Life({ policy: 'on-call' }).live(FLAPPING).live('duuu'.repeat(31));
  expect(withPolicy.kinds.filter((kind) => kind.startsWith('flapping'))).toEqual(['flapping 4']);
});

test('after an acknowledgement, the flapping notice is not repeated until the check is stable', () => {
  const life = new Life({ remindEveryMinutes: 10 }).live(FLAPPING).live('uud');
  life.answer({ isAcknowledged: true }).live('u').live('duuu'.repeat(16));
  expect(life.sent.filter(({ flapping }) => flapping?.isAgain)).toEqual([]);
  const undone = new Life({ remindEveryMinutes: 10 }).live(FLAPPING).live('uud');
  undone.answer({ isAcknowledged: true }).answer({ isAcknowledged: false });
  undone.live('u').live('duuu'.repeat(16));
  expect(undone.sent.filter(({ flapping }) => flapping?.isAgain)).not.toEqual([]);
});

test('a lasting outage is sent as a reminder, and its recovery once the check is stable', () => {
  const life = new Life().live(FLAPPING).live('dddddddddd').live('u'.repeat(31));
  expect(life.kinds).toEqual([
    'failure 1',
    'recovery 2',
    'failure 3',
    'flapping 4',
    'reminder 11',
    'recovery 46',
  ]);
  const page = life.sent.find(({ staysDown }) => staysDown === true);
  expect(page).toMatchObject({ incident: { id: 'inc_3' }, openedAtMs: 6 * MINUTE });
  expect(life.reasons[10]).toBe('stayed_down');
});

test('a lasting outage is sent as a failure if the last notification was a recovery', () => {
  const life = new Life().live('d'.repeat(40)).live('ududddddddd');
  expect(life.kinds).toEqual([
    'failure 1',
    'recovery 41',
    'failure 42',
    'recovery 43',
    'flapping 44',
    'failure 49',
  ]);
  expect(life.live('u'.repeat(31)).kinds.at(-1)).toBe('recovery 82');
});

test('a flapping check sends at most one alert about a lasting outage per 15 minutes', () => {
  const life = new Life().live(FLAPPING).live('dddddddu'.repeat(6));
  const pages = life.sent.filter(({ staysDown }) => staysDown === true);
  expect(pages.map(({ minute }) => minute)).toEqual([11, 27, 43]);
  const reminded = new Life({ remindEveryMinutes: 10 }).live(FLAPPING).live('d'.repeat(30));
  expect(reminded.kinds.slice(4)).toEqual(['reminder 11', 'reminder 21', 'reminder 31']);
  expect(reminded.sent.at(-1)?.incident?.id).toBe('inc_3');
});

test('an acknowledgement suppresses alerts of the acknowledged outage, but not of later outages', () => {
  const own = new Life().live(FLAPPING).live('d').answer({ isAcknowledged: true });
  expect(own.live('ddddddd').kinds).toHaveLength(4);
  const earlier = new Life().live(FLAPPING).live('d').answer({ isAcknowledged: true });
  expect(earlier.live('uddddddd').kinds.at(-1)).toBe('reminder 13');
});

test('a snooze of an earlier outage suppresses alerts of later outages until the snooze ends', () => {
  const life = new Life({ remindEveryMinutes: 10 }).live(FLAPPING).live('d');
  life
    .answer({ snoozedUntilMs: 20 * MINUTE })
    .live('u')
    .live('d'.repeat(20));
  expect(life.kinds.slice(4)).toEqual(['reminder 20']);
});

test('a slot with unknown health sends nothing, and does not restart the duration of an outage', () => {
  const life = new Life().live(FLAPPING).live('ddd?dddd');
  expect(life.kinds.slice(4)).toEqual(['reminder 11']);
});

test('the time of the next flapping notice is known in advance if the notice does not depend on another check', () => {
  const next = (life: Life) => nextFlappingNewsMs(life.state, { ...RULES, remindEveryMinutes: 10 });
  expect(next(new Life().live('d'))).toBeNull();
  expect(next(new Life().live(FLAPPING))).toBeNull();
  expect(next(new Life().live(FLAPPING).live('d'))).toBe(6 * MINUTE + STAYS_DOWN_MS);
  expect(next(new Life().live(FLAPPING).live('dddddd'))).toBe(21 * MINUTE);
  expect(nextFlappingNewsMs(new Life().live(FLAPPING).live('dddddd').state, RULES)).toBeNull();
});

test('an alert state that an earlier version stored without counts still works', () => {
  const { outagesMs: _outages, flapping: _flapping, ...old } = new Life().live(FLAPPING).state;
  const life = new Life();
  life.live(FLAPPING);
  life.state = old;
  expect(life.live('dddddddd').kinds.slice(4)).toEqual(['reminder 11']);
});
