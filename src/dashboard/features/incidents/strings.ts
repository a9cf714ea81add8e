/** Texts of the incident pages. */
import type { Incident } from '../../shared/data/api-types';

export const TEXT = {
  title: 'Incidents',
  open: 'Open',
  resolved: 'Resolved',
  notYet: 'Not yet',
  reports: 'Reports of the job',
  timeline: 'Timeline',
  why: 'Why was I notified?',
  whyNot: 'Why was I not notified?',
  steps: (count: number) => (count === 1 ? 'Show 1 step' : `Show all ${count} steps`),
  firstResult: 'First failing result',
  deletedResult: 'This result is no longer kept.',
  allFailed: 'All failed results',
  earlierOutages: (count: number) =>
    count === 1 ? '1 earlier outage' : `${count} earlier outages`,
  unlistedOutages: (count: number) =>
    count === 1 ? 'The oldest one is not listed.' : `The oldest ${count} are not listed.`,
  snooze: 'Snooze',
  snoozeMore: 'Snooze…',
  acknowledged: 'Acknowledged',
  unknownCause: 'Cause unknown.',
} as const;

export const SUBJECT_WORDS: Readonly<Record<Incident['resourceType'], string>> = {
  monitor: 'Monitor',
  scenario: 'Scenario',
  identityProvider: 'Identity provider',
};

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
};
