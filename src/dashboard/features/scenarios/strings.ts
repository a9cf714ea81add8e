/** The words that only the pages of scenarios show. */
import type { Run } from '../../shared/api-types';
import type { RunStep } from './waterfall';

export const LIST_TEXT = {
  title: 'Scenarios',
  add: 'New scenario',
  example: 'Start from the example',
  none: 'No scenarios yet',
  whyNone:
    'A scenario sends requests one after the other and hands values on: log in, order, read it back, clean up.',
  noMatch: 'Nothing matches',
  whyNoMatch: 'No scenario matches all of these filters.',
  readOnly: 'You may look, not change',
  whyReadOnly: 'An editor, admin or owner of the account can write scenarios.',
  clear: 'Clear the filters',
  search: 'Search by name, host or key',
  actions: 'Actions',
} as const;

export const ACTION_TEXT = {
  open: 'Open',
  edit: 'Edit',
  duplicate: 'Duplicate',
  run: 'Run now',
  runWith: 'Run with values …',
  pause: 'Pause',
  resume: 'Resume',
  delete: 'Delete',
  cancelRun: 'Cancel this run',
  openInTemporal: 'Open in Temporal',
} as const;

export interface PauseChoice {
  readonly label: string;
  /** null: until somebody resumes it. */
  readonly minutes: number | null;
}

export const PAUSES: readonly PauseChoice[] = [
  { label: 'For 30 min', minutes: 30 },
  { label: 'For 1 h', minutes: 60 },
  { label: 'For 8 h', minutes: 480 },
  { label: 'Until resumed', minutes: null },
];

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
