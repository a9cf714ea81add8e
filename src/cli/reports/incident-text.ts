/** Formats incidents and their explanations. */
import { formatAgo, formatSeconds } from '../durations';
import type { Incident, IncidentExplanation } from '../incident-shapes';
import { measureWidth, paintStatus, replaceControls } from '../paint';
import type { Session } from '../session';

const AGO_WIDTH = 12;
const FLAPPING_WORDS: Readonly<Record<string, string>> = { open: 'down now', resolved: 'up now' };

/** Formats an incident: its name and state, its facts and its timeline. */
export function formatIncident(session: Session, incident: Incident): string {
  const facts = listFacts(session, incident);
  const width = Math.max(...facts.map(([label]) => label.length)) + 2;
  return [
    formatHead(session, incident),
    ...facts.map(([label, text]) => wrapText(session, label.padEnd(width), text)),
    '',
    ...(incident.timeline ?? []).map(({ at, text, channelName }) =>
      formatEntry(session, at, nameChannel(text, channelName)),
    ),
  ]
    .join('\n')
    .trimEnd();
}

/** Formats why people were or were not notified: one line per sentence, oldest first. */
export function formatExplanation(
  session: Session,
  incident: Incident,
  { notified, sentences }: IncidentExplanation,
): string {
  return [
    formatHead(session, incident),
    notified ? 'An alert was due.' : 'No alert was due.',
    '',
    ...sentences.map(({ at, text }) => formatEntry(session, at, text)),
  ].join('\n');
}

/** Describes the state in words. While the check is flapping, the words say so. */
export function describeState(incident: Incident, nowMs: number): string {
  const { state = 'open', isFlapping } = incident;
  if (isFlapping !== true) return describeResponse(incident, nowMs) ?? state;
  const word = state === 'resolved' ? null : describeResponse(incident, nowMs);
  return `flapping, ${word ?? FLAPPING_WORDS[state] ?? state}`;
}

export function formatName({ resourceName, resourceType }: Incident): string {
  return resourceName ?? resourceType;
}

/** Describes how people responded to the incident. null if it is resolved, or if no one has responded. */
function describeResponse(
  { state, acknowledgedBy, snoozedUntil }: Incident,
  nowMs: number,
): string | null {
  if (state === 'resolved') return null;
  const leftSeconds =
    snoozedUntil == null ? 0 : Math.round((Date.parse(snoozedUntil) - nowMs) / 1_000);
  if (leftSeconds > 0) return `snoozed for ${formatSeconds(leftSeconds)}`;
  if (state !== 'acknowledged') return null;
  return acknowledgedBy == null ? 'acknowledged' : `acknowledged by ${acknowledgedBy}`;
}

function formatHead({ output, now }: Session, incident: Incident): string {
  const state = replaceControls(describeState(incident, now()));
  const name = output.paint('bold', replaceControls(formatName(incident)));
  return `${name}  ${paintStatus(output.paint, state)}`;
}

type Fact = readonly [label: string, text: string];

function listFacts({ client, now }: Session, incident: Incident): readonly Fact[] {
  const { id, openedAt, closedAt, cause, regions = [], flappingSince, snoozedBy } = incident;
  const { durationSeconds, episodeCount = 1, acknowledgedBy, acknowledgedAt } = incident;
  const ago = (at: string): string => formatAgo(at, now());
  const facts: readonly (Fact | null)[] = [
    ['id', id],
    ['opened', ago(openedAt)],
    closedAt == null ? null : ['closed', ago(closedAt)],
    flappingSince == null ? null : ['flapping', `began ${ago(flappingSince)}`],
    durationSeconds === undefined ? null : ['down for', formatSeconds(Math.round(durationSeconds))],
    episodeCount === 1 ? null : ['outages', String(episodeCount)],
    regions.length === 0 ? null : ['regions', regions.join(', ')],
    cause == null ? null : ['cause', cause.message],
    acknowledgedBy == null
      ? null
      : ['acknowledged', joinWords(`by ${acknowledgedBy}`, acknowledgedAt && ago(acknowledgedAt))],
    snoozedBy == null ? null : ['snoozed', `by ${snoozedBy}`],
    ['page', `${client().url}incidents/${id}`],
  ];
  return facts.filter((fact) => fact !== null);
}

function joinWords(...words: readonly (string | null | undefined)[]): string {
  return words.filter(Boolean).join(', ');
}

/** Names the channel of an alert instead of its recipient, which may be a long URL. */
function nameChannel(text: string, channelName: string | null | undefined): string {
  return channelName == null ? text : text.replace(/ to .*: /s, () => ` to ${channelName}: `);
}

function formatEntry(session: Session, at: string, text: string): string {
  return wrapText(session, `${formatAgo(at, session.now()).padEnd(AGO_WIDTH)} `, text);
}

/** Continues a long text below its first word, so that only a long word is wider than the terminal. */
function wrapText({ output }: Session, start: string, text: string): string {
  const room = output.width === null ? Number.POSITIVE_INFINITY : output.width - start.length;
  const lines: string[] = [];
  for (const word of replaceControls(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && measureWidth(`${last} ${word}`) <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return start + lines.join(`\n${' '.repeat(start.length)}`);
}
