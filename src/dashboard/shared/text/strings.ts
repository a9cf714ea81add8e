/**
 * Texts that several parts of the dashboard use. A text that only one component uses is in the file of the component.
 */
import type { MaintenanceWindow, Run, Status } from '../data/api-types';

export const NEVER = 'never';

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Paused',
  pending: 'Pending',
  unknown: 'Unknown',
};

export const RUN_STATUS_WORDS: Readonly<Record<Run['status'], string>> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting',
  passed: 'Passed',
  failed: 'Failed',
  degraded: 'Degraded',
  timed_out: 'Timed out',
  cancelled: 'Cancelled',
  error: 'Error',
};

export const TEXT = {
  loading: 'Loading',
  inUse: 'Still in use',
  refused: 'Something went wrong',
  notReached: 'Can’t reach Keepwatch',
  retry: 'Retry',
  slow: 'This is slow to load.',
  cancel: 'Cancel',
  save: 'Save',
  delete: 'Delete',
} as const;

/** What a maintenance window does to its checks. */
export const MODE_WORDS: Readonly<Record<MaintenanceWindow['mode'], string>> = {
  mute: 'Checks continue, no alerts',
  pause: 'Checks are paused',
};
