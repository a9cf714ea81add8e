/** The words that only the pages of scenarios show. */
import { ACTION_TEXT as COMMON } from '../../shared/actions/words';
import type { Run } from '../../shared/data/api-types';
import type { RunStep } from './runs/waterfall';

export const LIST_TEXT = {
  title: 'Scenarios',
  add: 'New scenario',
  example: 'Start from the example',
  none: 'No scenarios yet',
  whyNone:
    'A scenario sends requests one after the other and hands values on: log in, order, read it back, clean up.',
  whyNoMatch: 'No scenario matches all of these filters.',
  readOnly: 'You may look, not change',
  whyReadOnly: 'An editor, admin or owner of the account can write scenarios.',
} as const;

export const ACTION_TEXT = {
  ...COMMON,
  run: 'Run now',
  runWith: 'Run with values …',
  cancelRun: 'Cancel this run',
} as const;

export const TRIGGER_WORDS: Readonly<Record<Run['trigger'], string>> = {
  schedule: 'On schedule',
  manual: 'By hand',
  api: 'By the API',
  save: 'After saving',
  test: 'Test',
};

export const STEP_STATUS_WORDS: Readonly<Record<RunStep['status'], string>> = {
  pending: 'Not yet',
  running: 'Running',
  waiting: 'Waiting',
  passed: 'Passed',
  failed: 'Failed',
  skipped: 'Skipped',
  error: 'Error',
};

export const RUN_TEXT = {
  runs: 'Runs',
  steps: 'Steps',
  history: 'Steps of the last runs',
  noRuns: 'No runs yet',
  whyNoRuns: 'The first run follows within the interval, or at once by hand.',
  noneMatch: 'No run matches these filters.',
  extracted: 'Extracted values',
  secret: 'secret',
  waterfall: 'Steps on the time axis',
  trigger: 'Started',
  definition: 'Definition',
} as const;
