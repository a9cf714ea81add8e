/** Texts of import and export. */
import type { AppliedSet } from '../../../shared/data/api-types';

type Applied = AppliedSet['objects'][number];

export const KIND_WORDS: Readonly<Record<Applied['kind'], string>> = {
  monitor: 'Monitor',
  scenario: 'Scenario',
  alertPolicy: 'Alert policy',
  alertRoutes: 'Alert routes',
  alertChannel: 'Alert channel',
  hours: 'Hours',
  profile: 'Profile',
  maintenanceWindow: 'Maintenance window',
  statusPage: 'Status page',
  variables: 'Variables',
  environment: 'Environment',
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
