/** Texts of the incident pages. */
import type { FailureCode } from '../../../contracts/outcome';
import type { Incident, IncidentExplanation } from '../../shared/data/api-types';

export const TEXT = {
  title: 'Incidents',
  open: 'Open',
  began: 'began',
  downFor: (length: string, isOpen: boolean) => `down ${length}${isOpen ? ' so far' : ''}`,
  outages: (length: string, count: number) => `${length} in ${count} outages`,
  resolved: 'Resolved',
  notYet: 'Not yet',
  timeline: 'Timeline',
  why: 'Why was I notified?',
  whyNot: 'Why was I not notified?',
  steps: (count: number) => (count === 1 ? 'Show 1 step' : `Show all ${count} steps`),
  firstResult: 'First failing result',
  latestOutage: 'latest outage',
  lastPassing: (outages: number) =>
    outages === 1
      ? 'Last passing result before the outage'
      : 'Last passing result before the latest outage',
  noEdits: (outages: number) =>
    outages === 1
      ? 'No edits in the hour before.'
      : 'No edits in the hour before the first outage.',
  notKept: 'No results of this time are stored.',
  hourly: 'Only hourly figures of this time are stored.',
  now: 'Now',
  downAgain: 'Down again',
  seeOpen: 'see the open incident',
  checkNote: 'Note on the check',
  previous: 'Previous incident',
  deletedResult: 'This result is no longer kept.',
  allFailed: 'All failed results',
  earlierOutages: (count: number) =>
    count === 1 ? '1 earlier outage' : `${count} earlier outages`,
  unlistedOutages: (count: number) =>
    count === 1 ? 'The oldest one is not listed.' : `The oldest ${count} are not listed.`,
  snooze: 'Snooze',
  snoozeMore: 'Snooze…',
  postUpdate: 'Post update',
  acknowledged: 'Acknowledged',
  notAcknowledged: 'not yet',
  unknownCause: 'Cause unknown.',
} as const;

/** The state of an incident whose check is flapping. */
export const FLAPPING_WORDS: Readonly<Record<Incident['state'], string>> = {
  open: 'Flapping · down now',
  acknowledged: 'Flapping · acknowledged',
  resolved: 'Flapping · up now',
};

const SUBJECT_WORDS: Readonly<Record<Incident['resourceType'], string>> = {
  monitor: 'Monitor',
  scenario: 'Scenario',
  identityProvider: 'Identity provider',
};

/** The failures that only heartbeats have. */
const HEARTBEAT_CODES: readonly string[] = [
  'heartbeat_late',
  'heartbeat_missed',
  'job_failed',
  'run_too_long',
  'run_too_short',
] satisfies readonly FailureCode[];

/**
 * Returns the word for the subject of an incident. Incidents of heartbeats have the resource type `monitor`, so their
 * cause is checked, too.
 */
export function nameSubject({ resourceType, cause }: Pick<Incident, 'resourceType' | 'cause'>) {
  if (cause !== null && HEARTBEAT_CODES.includes(cause.code)) return 'Heartbeat';
  return SUBJECT_WORDS[resourceType];
}

export const TIMELINE_WORDS: Readonly<Record<Incident['timeline'][number]['kind'], string>> = {
  opened: 'Opened',
  alert: 'Notified',
  acknowledged: 'Acknowledged',
  unacknowledged: 'Alerts resumed',
  snoozed: 'Snoozed',
  note: 'Note',
  recovered: 'Recovered',
  explained: 'Dependency',
  explains: 'Also down',
  flapping: 'No alert: flapping',
};

export const WHY_TEXT = {
  notSent: 'No alert was sent.',
  unrecorded: 'No alert was recorded.',
  notDelivered: 'An alert was due, but none has been delivered yet.',
  flappingNotice: (who: string) => `A flapping notice went to ${who}.`,
} as const;

type Decision = NonNullable<IncidentExplanation['sentences'][number]['decision']>;

/** Why an outage sent nothing, by the decision. Other decisions mean that an alert was due. */
export const SILENT_WORDS: Readonly<Partial<Record<Decision, string>>> = {
  flapping: 'flapping',
  known_down: 'people already knew of the failure',
  muted: 'in maintenance, outside of its hours, or not to notify anyone',
  failure_off: 'alerts of failures are off',
  no_recipients: 'its alerts have no recipient',
  silenced: 'acknowledged or snoozed',
  asks_dependencies: 'waiting for a check of what it depends on',
  dependency: 'what it depends on had failed',
};
