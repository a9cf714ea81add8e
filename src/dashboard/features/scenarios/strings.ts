/** The words that only the pages of scenarios show. */
import { ACTION_TEXT as COMMON } from '../../shared/actions/words';
import type { Run } from '../../shared/data/api-types';
import type { RunStep } from './runs/waterfall';

export const LIST_TEXT = {
  title: 'Scenarios',
  add: 'New scenario',
  example: 'Start from the example',
} as const;

export const SCENARIO_WRITERS = {
  text: 'Editors, admins and owners can change scenarios.',
  list: { to: '/scenarios', label: LIST_TEXT.title },
} as const;

export const ACTION_TEXT = {
  ...COMMON,
  runWith: 'Run with values …',
  cancelRun: 'Cancel this run',
  runAgain: 'Run again',
  editStep: 'Edit step',
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
  steps: 'Steps',
  history: 'Steps of the last runs',
  noRuns: 'No runs yet',
  whyNoRuns: 'The first run starts within the interval. Run it now to see results sooner.',
  noneMatch: 'No run matches these filters.',
  extracted: 'Extracted values',
  cookies: 'Cookies set',
  secret: 'secret',
  waterfall: 'Timeline of steps',
  waterfallLegend: 'Solid: the request itself. Hatched: waiting and preparation.',
  compare: 'Compare with last passing',
  nonePassed: 'No run of this region passed before.',
  stepIsNew: 'The scenario did not have this step then.',
  notKept: 'Its headers and body are no longer kept: another run passed since.',
  trigger: 'Trigger',
  definition: 'Definition',
} as const;
