/** Says in sentences why people were or were not notified of an incident, one sentence per outage. Pure. */
import type { Alert, Incident, IncidentExplanation } from '../../shared/data/api-types';
import { clockSeconds } from '../../shared/text/time-text';
import { type StoryPart, splitStory } from './story';
import { SILENT_WORDS, WHY_TEXT } from './strings';

type Sentence = IncidentExplanation['sentences'][number];
type Decision = NonNullable<Sentence['decision']>;

interface Explained {
  readonly incident: Pick<Incident, 'episodes' | 'episodeCount' | 'timeline'>;
  readonly sentences: readonly Sentence[];
  readonly alerts: readonly Alert[];
  readonly formatRecipient: (alert: Alert) => string;
}

interface OutageNotice {
  /** Number of the outage, counted from 1; null when there is only one. */
  readonly outage: number | null;
  /** A sentence about the outage, without its number. */
  readonly text: string;
  /** Why nothing was sent. null if something was sent, or if no decision says why. */
  readonly silence: Decision | null;
}

/** Returns the sentences, the latest outage first. Consecutive outages that sent nothing share one sentence. */
export function summarizeWhy(explained: Explained): readonly string[] {
  const lines: string[] = [];
  let run: OutageNotice[] = [];
  const flush = (): void => {
    if (run.length > 0) lines.push(silentLine(run));
    run = [];
  };
  for (const notice of listNotices(explained).toReversed()) {
    if (notice.silence !== run[0]?.silence) flush();
    if (notice.outage !== null && notice.silence !== null) run.push(notice);
    else
      lines.push(notice.outage === null ? notice.text : `Outage ${notice.outage}: ${notice.text}`);
  }
  flush();
  return lines;
}

/** For example `Outages 3 to 5 sent nothing: flapping.` The outages are newest first. */
function silentLine(run: readonly OutageNotice[]): string {
  const [last, first] = [run[0], run.at(-1)];
  const reason = last?.silence == null ? '' : `: ${SILENT_WORDS[last.silence] ?? last.silence}`;
  return `${outagesWords(first?.outage ?? 1, last?.outage ?? 1)} sent nothing${reason}.`;
}

/** For example `Outage 3`, `Outages 3 and 4` or `Outages 3 to 5`. */
export function outagesWords(from: number, to: number): string {
  if (from === to) return `Outage ${from}`;
  return `Outages ${from} ${to === from + 1 ? 'and' : 'to'} ${to}`;
}

function listNotices({
  incident,
  sentences,
  alerts,
  formatRecipient,
}: Explained): readonly OutageNotice[] {
  const timed = alerts.map((alert) => ({ at: alert.createdAt, alert }));
  const alertParts = splitStory(incident, timed);
  const events = splitStory(incident, incident.timeline);
  return splitStory(incident, sentences).map((part, index) => {
    const own = alertParts[index]?.entries.map(({ alert }) => alert) ?? [];
    const isHeld = events[index]?.entries.some(({ kind }) => kind === 'flapping') === true;
    return describeOutage(part, { alerts: own, formatRecipient, isHeld });
  });
}

interface OutageFacts extends Pick<Explained, 'alerts' | 'formatRecipient'> {
  /** True if an alert of the outage was held back because of flapping. */
  readonly isHeld: boolean;
}

function describeOutage(
  { outage, entries }: StoryPart<Sentence>,
  { alerts, formatRecipient, isHeld }: OutageFacts,
): OutageNotice {
  const said = (text: string, silence: Decision | null = null): OutageNotice => {
    return { outage, text, silence };
  };
  const sent = alerts.filter(({ status }) => status === 'sent');
  const failures = sent.filter(({ kind }) => kind === 'failure' || kind === 'reminder');
  const notices = sent.filter(({ kind }) => kind === 'flapping');
  if (failures.length + notices.length > 0) {
    const cause = findCause(entries);
    const because = cause === null ? '' : `, because ${cause}`;
    const alerted =
      failures.length === 0 ? [] : [`${notifiedWords(failures, formatRecipient)}${because}.`];
    const flapped =
      notices.length === 0 ? [] : [WHY_TEXT.flappingNotice(noticeWords(notices, formatRecipient))];
    return said([...alerted, ...flapped].join(' '));
  }
  const last = entries.findLast(({ decision }) => decision !== null && isAboutFailure(decision));
  const decision = last?.decision ?? (isHeld ? 'flapping' : null);
  if (decision === null)
    return said(
      entries.some(({ topic }) => topic === 'policy') ? WHY_TEXT.notSent : WHY_TEXT.unrecorded,
    );
  if (SILENT_WORDS[decision] === undefined) return said(WHY_TEXT.notDelivered);
  return said(last?.text ?? WHY_TEXT.notSent, decision);
}

/** False for decisions about the recovery. */
function isAboutFailure(decision: Decision): boolean {
  return !decision.startsWith('recovery_') && !OF_RECOVERIES.includes(decision);
}

const OF_RECOVERIES: readonly Decision[] = ['never_notified', 'no_longer_used'];

/** For example `Chat was notified at 04:38:39 and Phone at 04:39:38`: each recipient with the first time. */
function notifiedWords(
  alerts: readonly Alert[],
  formatRecipient: Explained['formatRecipient'],
): string {
  const [first, ...later] = groupByTime(alerts, formatRecipient);
  if (first === undefined) return '';
  const verb = first.names.length === 1 ? 'was' : 'were';
  const start = `${listWords(first.names)} ${verb} notified at ${first.time}`;
  return listWords([start, ...later.map(({ names, time }) => `${listWords(names)} at ${time}`)]);
}

/** For example `Chat at 04:40:08`. */
function noticeWords(
  alerts: readonly Alert[],
  formatRecipient: Explained['formatRecipient'],
): string {
  const groups = groupByTime(alerts, formatRecipient);
  return listWords(groups.map(({ names, time }) => `${listWords(names)} at ${time}`));
}

interface TimeGroup {
  readonly time: string;
  readonly names: readonly string[];
}

/** Groups the recipients by the second of their first alert. Later alerts to the same recipient are left out. */
function groupByTime(
  alerts: readonly Alert[],
  formatRecipient: Explained['formatRecipient'],
): readonly TimeGroup[] {
  const firstAt = new Map<string, string>();
  const readTime = ({ sentAt, createdAt }: Alert): string => sentAt ?? createdAt;
  for (const alert of alerts.toSorted(
    (a, b) => Date.parse(readTime(a)) - Date.parse(readTime(b)),
  )) {
    const name = formatRecipient(alert);
    if (!firstAt.has(name)) firstAt.set(name, clockSeconds(readTime(alert)));
  }
  const times = [...new Set(firstAt.values())];
  return times.map((time) => ({
    time,
    names: [...firstAt].filter(([, at]) => at === time).map(([name]) => name),
  }));
}

/**
 * Returns why the outage counts as one, for example `both regions failed`. If there is only one region, or none, returns
 * the failure, for example `it failed in eu-west: Timed out after 5 s`.
 */
function findCause(sentences: readonly Sentence[]): string | null {
  const checks = sentences.filter(({ topic }) => topic === 'check').map(({ text }) => text);
  const last = checks.at(-1);
  if (last === undefined) return null;
  const failure = checks.findLast((text) => text.startsWith('Failed'));
  if (failure !== undefined && (last === failure || last.startsWith('The only region')))
    return uncapitalize(failure.split('\n')[0] ?? '').replace('failed', 'it failed');
  const [text = ''] = last.replaceAll(/ \(\d+ needed\)/g, '').split('; ');
  return uncapitalize(text);
}

/** Prepares a sentence for the middle of another one: without its capital and its full stop. */
function uncapitalize(text: string): string {
  return (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, '');
}

/** Joins the words, for example `a`, `a and b` or `a, b and c`. */
function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
