/** The words of the maintenance page. */
import type { MaintenanceWindow } from '../../shared/data/api-types';

export const TEXT = {
  title: 'Maintenance',
  about: 'Scheduled work: no alerts are sent, and the time does not count toward uptime.',
  add: 'Schedule maintenance',
  edit: 'Edit window',
  now: '30 minutes now',
  nowTitle: 'Maintenance now',
  start: 'Start maintenance',
  started: 'Maintenance started.',
  saved: 'Maintenance window saved.',
  noneTitle: 'No maintenance scheduled',
  none: 'Schedule a window before a deployment, or start 30 minutes now.',
  noneReadOnly: 'Windows scheduled by an editor appear here.',
  endNow: 'End now',
  ended: 'Maintenance ended.',
  deleted: 'Maintenance window deleted.',
  occurrences: 'Next occurrences',
  noOccurrences: 'No further occurrences.',
  everything: 'Everything',
  chosen: 'Selected',
  target: 'Applies to',
  targets: 'Monitors and scenarios',
  targetsHint: 'Type part of the name.',
  tags: 'Tags',
  groups: 'Groups',
  groupsHint: 'Includes nested groups.',
  mode: 'During maintenance',
  startsAt: 'Starts',
  minutes: 'Duration (minutes)',
  repeat: 'Repeats',
  days: 'On',
  monthlyHint: 'On the day of the month of the start. Months without that day are skipped.',
  rule: 'Recurrence rule (RRULE)',
  ruleHint: 'For example FREQ=MONTHLY;BYDAY=1SU for the first Sunday of each month.',
  badStart: 'Choose a date and time.',
} as const;

export const MODE_WORDS: Readonly<Record<MaintenanceWindow['mode'], string>> = {
  mute: 'Checks continue, no alerts',
  pause: 'Checks are paused',
};

export const STATE_WORDS: Readonly<Record<MaintenanceWindow['state'], string>> = {
  active: 'In progress',
  scheduled: 'Scheduled',
  over: 'Ended',
};

export const REPEAT_WORDS = {
  once: 'Once',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
  rule: 'Custom (RRULE)',
} as const;

export const DAY_WORDS = {
  MO: 'Mon',
  TU: 'Tue',
  WE: 'Wed',
  TH: 'Thu',
  FR: 'Fri',
  SA: 'Sat',
  SU: 'Sun',
} as const;
