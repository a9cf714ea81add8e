/** Texts of the pages of scenarios. */
import type { Run } from '../../shared/data/api-types';
import type { RunStep } from './runs/waterfall';

export const SCENARIO_WRITERS = {
  text: 'Editors, admins and owners can change scenarios.',
  list: { to: '/scenarios', label: 'Scenarios' },
} as const;

export const TRIGGER_WORDS: Readonly<Record<Run['trigger'], string>> = {
  schedule: 'Scheduled',
  manual: 'Manual',
  api: 'API',
  save: 'On save',
  test: 'Test',
};

export const STEP_STATUS_WORDS: Readonly<Record<RunStep['status'], string>> = {
  pending: 'Not started',
  running: 'Running',
  waiting: 'Waiting',
  passed: 'Passed',
  failed: 'Failed',
  skipped: 'Skipped',
  error: 'Error',
};

export const RUN_TEXT = {
  runs: 'Runs',
  last: 'Last run',
  open: 'Open the run',
  gone: 'The last run is no longer stored.',
} as const;
