/** The words of the maintenance page. */
import type { MaintenanceWindow } from '../../shared/data/api-types';

export const TEXT = {
  title: 'Maintenance',
  about:
    'Time that is planned. Nobody is alerted, and it counts neither for nor against availability.',
  add: 'Plan a window',
  edit: 'Edit window',
  now: '30 minutes now',
  nowTitle: 'Maintenance now',
  start: 'Start maintenance',
  started: 'Maintenance has started.',
  saved: 'The window is saved.',
  noneTitle: 'No maintenance is planned',
  none: 'Plan a window before a deployment, or start one of 30 minutes at once.',
  noneReadOnly: 'Windows that an editor plans appear here.',
  endNow: 'End now',
  ended: 'Maintenance has ended.',
  deleted: 'The window is deleted.',
  occurrences: 'Next occurrences',
  noOccurrences: 'Nothing is left of it.',
  everything: 'Everything',
  chosen: 'Some of them',
  target: 'For',
  targets: 'Monitors and scenarios',
  targetsHint: 'Type a part of the name.',
  tags: 'Tags',
  groups: 'Groups',
  groupsHint: 'A group has the groups below it.',
  mode: 'What happens',
  startsAt: 'Starts',
  zone: 'Time zone',
  minutes: 'Minutes',
  repeat: 'Repeats',
  days: 'On',
  monthlyHint: 'On the day of the month that it starts. Months without that day are left out.',
  rule: 'Recurrence rule (RRULE)',
  ruleHint: 'Like FREQ=MONTHLY;BYDAY=1SU for the first Sunday of each month.',
  badStart: 'is no time',
} as const;

export const MODE_WORDS: Readonly<Record<MaintenanceWindow['mode'], string>> = {
  mute: 'Checks go on, nobody is alerted',
  pause: 'No checks are sent',
};

export const STATE_WORDS: Readonly<Record<MaintenanceWindow['state'], string>> = {
  active: 'Under way',
  scheduled: 'Planned',
  over: 'Over',
};

export const REPEAT_WORDS = {
  once: 'Once',
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
  rule: 'By a rule',
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
