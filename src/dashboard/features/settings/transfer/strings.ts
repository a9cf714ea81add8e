/** The words of import and export. */
import type { AppliedSet } from '../../../shared/data/api-types';

type Applied = AppliedSet['objects'][number];

export const TEXT = {
  exportTitle: 'Export',
  exportAbout:
    'Everything of this account in one file: monitors, scenarios, alert channels, maintenance windows and status pages. Secrets are named, their values stay here.',
  exportDo: 'Download the export',
  importTitle: 'Import',
  importAbout:
    'A file as the export makes it, JSON or YAML. First you see the plan; nothing changes until you apply it.',
  file: 'File',
  set: 'Name of the set',
  setHint: 'Pruning removes only what was imported under this name.',
  prune: 'Remove what was imported under this name and is not in the file any more',
  plan: 'Show the plan',
  apply: 'Apply',
  planTitle: 'The plan',
  doneTitle: 'What was done',
  objects: 'Objects of the set',
  nothing: 'Everything is as the file says already.',
  missing: 'These secrets are named but not there yet:',
  unreadable: 'This file can not be read as a set:',
  signing: 'Signing secret of',
} as const;

export const KIND_WORDS: Readonly<Record<Applied['kind'], string>> = {
  monitor: 'Monitor',
  scenario: 'Scenario',
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
  failed: 'not possible',
  skipped: 'skipped',
};
