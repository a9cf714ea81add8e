/** Texts of the incident pages. */
import type { Incident } from '../../shared/data/api-types';

export const TEXT = {
  title: 'Incidents',
  open: 'Open',
  resolved: 'Resolved',
  notYet: 'Not yet',
  reports: 'Reports of the job',
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
