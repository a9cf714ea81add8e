/** The words of import and export. */
import type { AppliedSet } from '../../../shared/data/api-types';

type Applied = AppliedSet['objects'][number];

export const TEXT = {
  exportTitle: 'Export',
  exportAbout:
    'All monitors, scenarios, alert channels, policies and routes, maintenance windows and status pages in one file. Values of secrets are not included.',
  exportDo: 'Download the export',
  importTitle: 'Import',
  importAbout:
    'An exported file, JSON or YAML. You see the plan first; nothing changes until you apply it.',
  file: 'File',
  set: 'Name of the set',
  setHint: 'Pruning removes only what was imported under this name.',
  prune: 'Remove what was imported under this name and is no longer in the file',
  plan: 'Show the plan',
  apply: 'Apply',
  planTitle: 'Plan',
  doneTitle: 'Result',
  objects: 'Objects of the set',
  nothing: 'No changes: everything matches the file.',
  missing: 'These secrets do not exist yet:',
  unreadable: 'This file cannot be imported:',
  signing: 'Signing secret of',
} as const;

export const KIND_WORDS: Readonly<Record<Applied['kind'], string>> = {
  monitor: 'Monitor',
  scenario: 'Scenario',
  alertPolicy: 'Alert policy',
  alertRoutes: 'Alert routes',
  alertChannel: 'Alert channel',
  maintenanceWindow: 'Maintenance window',
  statusPage: 'Status page',
};

export const ACTION_WORDS: Readonly<Record<Applied['action'], string>> = {
  create: 'Create',
  update: 'Change',
  delete: 'Remove',
  unchanged: 'Unchanged',
};

export const OUTCOME_WORDS: Readonly<Record<Applied['outcome'], string>> = {
  planned: 'planned',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};
