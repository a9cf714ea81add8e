/** Texts of the maintenance page. */
import type { MaintenanceWindow } from '../../shared/data/api-types';

export const TEXT = {
  add: 'Schedule maintenance',
  now: 'Start now',
  endNow: 'End now',
  target: 'What is affected?',
  targetMissing: 'Choose what is affected.',
  everything: 'Everything',
  some: 'Selected checks',
  minutes: 'Duration (minutes)',
  announced: 'announced in a post',
  notAnnounced: 'shown on the page, not announced in a post',
  change: 'Change',
  noneAhead: 'No maintenance scheduled.',
  past: (count: number) => `Past windows (${count})`,
} as const;

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
