/** Formats a monitor or scenario as text: first its state, then its definition. */
import { formatAgo, formatSeconds } from './durations';
import { formatData } from './output';
import { paintStatus, replaceControls } from './paint';
import type { Session } from './session';
import type { Resource } from './shapes';

const SERVICE_FIELDS: readonly string[] = [
  'id',
  'version',
  'state',
  'health',
  'healthSince',
  'status',
  'groupKey',
  'createdAt',
  'updatedAt',
  'pausedAt',
  'pausedUntil',
  'pauseReason',
  'lastCheckedAt',
  'nextCheckAt',
  'regionsHealth',
  'currentIncidentId',
  'lastPingAt',
  'nextDueAt',
  'running',
  'tlsExpiresAt',
  'tlsWarning',
  'domainExpiresAt',
  'domainWarning',
  'lastRunId',
  'links',
];

export function formatDefinition({ output, now }: Session, resource: Resource): string {
  const { id, name, status, currentIncidentId } = resource;
  const heading = `${output.paint('bold', replaceControls(name))}  ${paintStatus(output.paint, status)}`;
  const facts = [
    `id        ${id}`,
    timesText(resource, now()),
    ...(typeof currentIncidentId === 'string' ? [`incident  ${currentIncidentId}`] : []),
    ...(typeof resource.links.temporal?.url === 'string'
      ? [`workflow  ${resource.links.temporal.url}`]
      : []),
  ];
  const definition = Object.fromEntries(
    Object.entries(resource).filter(
      ([field, value]) => !SERVICE_FIELDS.includes(field) && !isEmpty(value),
    ),
  );
  const text = formatData('yaml', definition).split('\n').map(replaceControls).join('\n');
  return [heading, ...facts.map(replaceControls), '', text].join('\n');
}

function timesText(resource: Resource, nowMs: number): string {
  const { lastCheckedAt, nextCheckAt, lastPingAt, nextDueAt, interval } = resource;
  if (interval === undefined)
    return `reported  ${formatAgo(lastPingAt, nowMs)}, due ${formatAgo(nextDueAt, nowMs)}`;
  return `checked   ${formatAgo(lastCheckedAt, nowMs)}, next ${formatAgo(nextCheckAt, nowMs)}, every ${formatSeconds(interval)}`;
}

/** Returns the interval in words, or `heartbeat`. */
export function formatRhythm(interval: number | undefined): string {
  return interval === undefined ? 'heartbeat' : formatSeconds(interval);
}

function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
