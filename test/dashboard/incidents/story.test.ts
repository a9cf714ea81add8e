/** Tests incidents in their list and as timelines, and notes with links. */
import fc from 'fast-check';
import { groupByDay } from '../../../src/dashboard/features/incidents/day-parts';
import { summarizeWhy } from '../../../src/dashboard/features/incidents/explanation-summary';
import { parseBlocks } from '../../../src/dashboard/features/incidents/note-blocks';
import { splitText } from '../../../src/dashboard/features/incidents/note-text';
import { orderIncidents } from '../../../src/dashboard/features/incidents/order';
import { positionOutages } from '../../../src/dashboard/features/incidents/position-outages';
import {
  buildStory,
  groupSteps,
  splitStory,
} from '../../../src/dashboard/features/incidents/story';
import { nameSubject } from '../../../src/dashboard/features/incidents/strings';
import type {
  Alert,
  Incident,
  IncidentExplanation,
} from '../../../src/dashboard/shared/data/api-types';
import { clockSeconds } from '../../../src/dashboard/shared/text/time-text';
import { propertyOptions } from '../../support/property-runs';

type Sentence = IncidentExplanation['sentences'][number];

const START_MS = Date.parse('2026-01-31T12:00:00.000Z');
const at = (minute: number): string => new Date(START_MS + minute * 60_000).toISOString();

function incident(id: string, from: number, to: number | null, changes: Partial<Incident> = {}) {
  const given: Incident = {
    id,
    resourceType: 'monitor',
    resourceId: 'mon_1',
    resourceName: 'Shop',
    runbookUrl: null,
    note: null,
    state: to === null ? 'open' : 'resolved',
    openedAt: at(from),
    closedAt: to === null ? null : at(to),
    durationSeconds: ((to ?? from + 1) - from) * 60,
    cause: null,
    regions: [],
    firstResultId: null,
    firstRunId: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    snoozedUntil: null,
    snoozedBy: null,
    snoozeReason: null,
    isFlapping: false,
    flappingSince: null,
    episodeCount: 1,
    episodes: [],
    explainedBy: null,
    explains: { count: 0, incidents: [] },
    identityProvider: null,
    notes: [],
    timeline: [],
    alerts: [],
    ...changes,
  };
  return given;
}

function alert(id: string, minute: number, kind: Alert['kind'] = 'failure'): Alert {
  return {
    id,
    incidentId: 'inc_1',
    kind,
    channelId: null,
    channelType: 'email',
    recipient: id,
    status: 'sent',
    attempts: [],
    createdAt: at(minute),
    sentAt: at(minute),
  };
}

it('the timeline of an incident orders entries by time and joins deliveries of the same moment', () => {
  const told = buildStory(
    incident('inc_1', 0, 9, {
      timeline: [
        { at: at(0), kind: 'opened', text: 'Down.', channelName: null },
        { at: at(1), kind: 'alert', text: 'failure to a: sent', channelName: 'a' },
        { at: at(5), kind: 'note', text: 'o: hello', channelName: null },
        { at: at(9), kind: 'recovered', text: 'Up again.', channelName: null },
      ],
      notes: [{ at: at(5), by: 'o', text: 'hello' }],
    }),
    [alert('d', 9, 'recovery'), alert('b', 1.1), alert('a', 1), alert('c', 2)],
  );
  expect(
    told.map((entry) =>
      entry.kind === 'alert' ? entry.alerts.map(({ id }) => id).join() : entry.kind,
    ),
  ).toEqual(['opened', 'a,b', 'c', 'note', 'recovered', 'd']);
});

it('deliveries of different kinds are one entry if they are at one moment and nothing happened between them', () => {
  const kindsOf = (timeline: Incident['timeline'], alerts: readonly Alert[]) =>
    buildStory(incident('inc_1', 0, 9, { timeline }), alerts).map((entry) =>
      entry.kind === 'alert' ? entry.alerts.map(({ kind }) => kind).join() : entry.kind,
    );
  const recovered = { at: at(1.05), kind: 'recovered', text: 'Up.', channelName: null } as const;
  const alerts = [alert('a', 1), alert('b', 1.1, 'recovery'), alert('c', 7, 'flapping')];
  expect(kindsOf([], alerts)).toEqual(['failure,recovery', 'flapping']);
  expect(kindsOf([recovered], alerts)).toEqual(['failure', 'recovered', 'recovery', 'flapping']);
});

it('entries are grouped by day, each of which names its time zone', () => {
  const times = ['2026-01-31T12:00:00Z', '2026-01-31T18:00:00Z', '2026-02-03T12:00:00Z'];
  const days = groupByDay(times, (time) => time);
  expect(days.map(({ entries }) => entries.length)).toEqual([2, 1]);
  expect(days[0]?.day).toMatch(/^Saturday 31 Jan 2026 \(.+\)$/);
});

function episode(minute: number, to: number | null = null): Incident['episodes'][number] {
  return {
    id: `inc_${minute}`,
    startedAt: at(minute),
    resolvedAt: to === null ? null : at(to),
    durationSeconds: 60,
    cause: null,
    regions: [],
    firstResultId: null,
    firstRunId: null,
  };
}

describe('the reasons for notifications', () => {
  const said = (
    topic: Sentence['topic'],
    text: string,
    { minute = 0, decision = null }: Partial<Pick<Sentence, 'decision'>> & { minute?: number } = {},
  ): Sentence => ({ at: at(minute), topic, text, decision });
  const failed = said('check', 'Failed in eu: Timed out.');
  const counted = said('check', 'Both regions failed (1 needed); 1 failed check (1 needed).');
  const due = said('notification', 'The failure alert was queued.', { decision: 'notified' });
  const formatRecipient = ({ recipient }: Alert): string => recipient;
  const clock = (minute: number): string => clockSeconds(at(minute));
  const why = (sentences: readonly Sentence[], alerts: readonly Alert[] = []) =>
    summarizeWhy({ incident: incident('inc_1', 0, null), sentences, alerts, formatRecipient });

  it('the reasons for notifications name each recipient with the time of the first alert, and the cause', () => {
    const alerts = [
      alert('Phone', 1),
      alert('Chat', 0),
      alert('Mail', 0),
      alert('Chat', 5, 'reminder'),
    ];
    expect(why([failed, counted, due], alerts)).toEqual([
      `Chat and Mail were notified at ${clock(0)} and Phone at ${clock(1)}, because both regions failed.`,
    ]);
    expect(why([failed, due], [alert('Chat', 0)])).toEqual([
      `Chat was notified at ${clock(0)}, because it failed in eu: Timed out.`,
    ]);
    const only = said('check', 'The only region failed (1 needed); 1 failed check (1 needed).');
    expect(why([failed, only, due], [alert('Chat', 0)])).toEqual([
      `Chat was notified at ${clock(0)}, because it failed in eu: Timed out.`,
    ]);
    const job = said('check', 'Failed: Job failed with exit code 1: disk is full.\nSecond line.');
    expect(why([job, due], [alert('Chat', 0)])).toEqual([
      `Chat was notified at ${clock(0)}, because it failed: Job failed with exit code 1: disk is full.`,
    ]);
    expect(why([], [alert('Chat', 2, 'flapping')])).toEqual([
      `A flapping notice went to Chat at ${clock(2)}.`,
    ]);
    expect(why([failed, due])).toEqual(['An alert was due, but none has been delivered yet.']);
  });

  it('the reasons for notifications give the last reason against an alert, or say that no alert was sent', () => {
    const muted = said('maintenance', 'No alert was sent: it was in maintenance.', {
      decision: 'muted',
    });
    const off = said(
      'rule',
      'No alert was sent: alerts of failures are switched off (onFailure).',
      {
        decision: 'failure_off',
      },
    );
    const over = said('recovery', 'It recovered.', { decision: 'never_notified' });
    expect(why([failed, muted, off, over])).toEqual([off.text]);
    expect(why([failed])).toEqual(['No alert was recorded.']);
    expect(why([failed, said('policy', 'Step 1 was not needed.')])).toEqual(['No alert was sent.']);
  });

  it('the reasons for notifications start with the latest outage, and outages that sent nothing for the same reason share a sentence', () => {
    const held = (minute: number): Incident['timeline'][number] => {
      return { at: at(minute), kind: 'flapping', text: 'No alert: flapping.', channelName: null };
    };
    const given = incident('inc_1', 0, null, {
      episodes: [episode(0, 1), episode(3, 4), episode(6, 7), episode(9, 10), episode(12)],
      episodeCount: 5,
      timeline: [held(6), held(9), held(12)],
    });
    const folded = said('flapping', 'Alerts were paused: 2 outages sent nothing.', {
      minute: 6,
      decision: 'flapping',
    });
    const last = said('flapping', 'No alert was sent: flapping.', {
      minute: 12,
      decision: 'flapping',
    });
    const sentences = [
      counted,
      due,
      said('check', counted.text, { minute: 3 }),
      folded,
      said('check', counted.text, { minute: 12 }),
      last,
    ];
    const alerts = [alert('Chat', 0), alert('Chat', 3), alert('Chat', 4.5, 'flapping')];
    expect(summarizeWhy({ incident: given, sentences, alerts, formatRecipient })).toEqual([
      'Outages 3 to 5 sent nothing: flapping.',
      `Outage 2: Chat was notified at ${clock(3)}, because both regions failed. ` +
        `A flapping notice went to Chat at ${clock(4.5)}.`,
      `Outage 1: Chat was notified at ${clock(0)}, because both regions failed.`,
    ]);
    const groups = groupSteps(given, sentences);
    expect(groups.map((group) => [group.outage, group.lastOutage, group.entries.length])).toEqual([
      [1, 1, 2],
      [2, 2, 1],
      [3, 4, 1],
      [5, 5, 2],
    ]);
  });
});

describe('a note', () => {
  it('a note shows links, code and bold words, and other text unchanged', () => {
    const text =
      'See https://a.example/b(1). `kubectl get` was **slow**, [log](https://c.example/)';
    expect(splitText(text).map(({ kind, text: words }) => `${kind}:${words}`)).toEqual([
      'text:See ',
      'link:https://a.example/b(1',
      'text:). ',
      'code:kubectl get',
      'text: was ',
      'bold:slow',
      'text:, ',
      'link:log',
    ]);
  });

  it.each([
    'javascript:alert(1)',
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '<img src=x onerror=alert(1)>',
    '** not bold **\n`',
  ])('a note does not turn %j into a link', (text) => {
    const pieces = splitText(text);
    expect(pieces.filter(({ kind }) => kind === 'link')).toEqual([]);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  });

  it('a note renders headings, lists, quotes, code and paragraphs with their line breaks', () => {
    const text = [
      '## Cause',
      'The pool was full,',
      'and stayed so.',
      '',
      '- restarted',
      '* scaled **up**',
      '1. watch',
      '2) close',
      '> said Ann',
      '> at noon',
      '```sh',
      '# no heading',
      '- no list',
      '```',
      'Done.',
    ].join('\n');
    expect(parseBlocks(text)).toEqual([
      { kind: 'heading', text: 'Cause' },
      { kind: 'text', text: 'The pool was full,\nand stayed so.' },
      { kind: 'list', isOrdered: false, items: ['restarted', 'scaled **up**'] },
      { kind: 'list', isOrdered: true, items: ['watch', 'close'] },
      { kind: 'quote', text: 'said Ann\nat noon' },
      { kind: 'code', text: '# no heading\n- no list' },
      { kind: 'text', text: 'Done.' },
    ]);
    expect(parseBlocks('```\nnever closed')).toEqual([{ kind: 'code', text: 'never closed' }]);
    expect(parseBlocks('\n \n')).toEqual([]);
  });

  it('a note keeps every word of any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '-', '- b', '#', '# c', '> d', '1. e', ''), {}),
        (lines) => {
          const words = parseBlocks(lines.join('\n')).map((block) =>
            block.kind === 'list' ? block.items.join(' ') : block.text,
          );
          for (const word of ['a', 'b', 'c', 'd', 'e'])
            expect(words.join(' ').includes(word)).toBe(lines.some((line) => line.includes(word)));
        },
      ),
      propertyOptions(100),
    );
  });

  it('a note renders *italic* and _italic_ words, but not names_with_lines or 2 * 3 * 4', () => {
    const kindsOf = (text: string) => splitText(text).map(({ kind }) => kind);
    expect(kindsOf('*so* and _so_')).toEqual(['italic', 'text', 'italic']);
    expect(kindsOf('a_name_of_it and 2 * 3 * 4')).toEqual(['text']);
  });
});

test('the first page of incidents starts with all unresolved incidents, including very old ones', () => {
  const all = { resourceId: undefined, from: undefined };
  const old = incident('old', 0, null, { resourceId: 'mon_2', state: 'acknowledged' });
  const down = incident('down', 70, null);
  const unresolved = [down, old];
  const order = (
    listed: readonly Incident[],
    choice: Partial<Parameters<typeof orderIncidents>[2]> = {},
  ) => orderIncidents(listed, unresolved, { ...all, isFirst: true, ...choice }).map(({ id }) => id);
  const listed = [incident('b', 80, 81), down, incident('a', 60, 61)];
  expect(order(listed)).toEqual(['down', 'old', 'b', 'a']);
  expect(order([incident('c', 1, 2), old], { isFirst: false })).toEqual(['c']);
  expect(order(listed, { from: at(30) })).toEqual(['down', 'b', 'a']);
  expect(order([], { resourceId: 'mon_2' })).toEqual(['old']);
  const flapping = incident('flapping', 50, 51, { isFlapping: true });
  expect(order([...listed, flapping])).toEqual(['down', 'old', 'flapping', 'b', 'a']);
  expect(orderIncidents(listed, [], { ...all, isFirst: true }).map(({ id }) => id)).toEqual([
    'down',
    'b',
    'a',
  ]);
});

test('the strip of outages lies between its ends, in order, and covers at most the last hour', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ gap: fc.nat(90), length: fc.integer({ min: 1, max: 90 }) }), {
        minLength: 1,
        maxLength: 20,
      }),
      fc.boolean(),
      (lives, isOpen) => {
        let minute = 0;
        const episodes = lives.map(({ gap, length }, index) => {
          const from = minute + gap;
          minute = from + length;
          const isLast = index === lives.length - 1;
          const resolvedAt = isLast && isOpen ? null : at(minute);
          return { ...episode(from), id: String(index), resolvedAt };
        });
        const nowMs = Date.parse(at(minute));
        const closedAt = isOpen ? null : at(minute);
        const { fromMs, toMs, parts } = positionOutages({ episodes, closedAt }, nowMs);
        expect(toMs).toBe(nowMs);
        expect(toMs - fromMs).toBeLessThanOrEqual(3_600_000);
        expect(parts.at(-1)?.id).toBe(String(lives.length - 1));
        let end = 0;
        for (const { left, width } of parts) {
          expect(left).toBeGreaterThanOrEqual(end - 1e-9);
          end = left + width;
        }
        expect(end).toBeCloseTo(100);
      },
    ),
    propertyOptions(100),
  );
});

test('each timeline entry is grouped with the latest outage that had begun before it', () => {
  const entries = [-1, 0, 1, 9, 10, 12].map((minute) => ({
    kind: 'opened' as const,
    at: at(minute),
    text: '',
  }));
  const episodes = [episode(0), episode(10)];
  const parts = splitStory({ episodes, episodeCount: 7 }, entries);
  expect(parts.map(({ outage, entries: own }) => [outage, own.length])).toEqual([
    [6, 4],
    [7, 2],
  ]);
  const alone = splitStory({ episodes: [episode(0)], episodeCount: 1 }, entries);
  expect(alone.map(({ outage, entries: own }) => [outage, own.length])).toEqual([[null, 6]]);
});

test('an incident of a heartbeat is not called one of a monitor', () => {
  const cause = (code: 'job_failed' | 'timeout') => ({ code, message: '' });
  const monitor = { resourceType: 'monitor', cause: cause('timeout') } as const;
  expect(nameSubject(monitor)).toBe('Monitor');
  expect(nameSubject({ ...monitor, cause: cause('job_failed') })).toBe('Heartbeat');
  expect(nameSubject({ ...monitor, resourceType: 'scenario' })).toBe('Scenario');
});
