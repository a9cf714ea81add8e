/** The words of the dashboard that more than one place shows. Features keep theirs in their folders. */
import type { Run, Status } from '../data/api-types';

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
  refused: 'Something went wrong',
  notLoaded: 'Could not load this',
  invalid: 'Check your input',
  notReached: 'Can’t reach Keepwatch',
  retry: 'Retry',
  undo: 'Undo',
  undoKey: 'Or press u',
  cancel: 'Cancel',
  save: 'Save',
  delete: 'Delete',
  leaveTitle: 'Leave without saving?',
  leaveText: 'Your changes are not saved.',
  leave: 'Leave',
  stay: 'Keep editing',
  live: 'Live',
  reconnecting: 'Reconnecting',
} as const;
