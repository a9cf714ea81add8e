/** Texts of the API keys. */
import type { ApiKey } from '../../../shared/data/api-types';

type Scope = ApiKey['scopes'][number];

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'Read: see monitors, results and incidents',
  run: 'Run: start checks and scenario runs',
  write: 'Write: create and change',
  admin: 'Admin: members, keys and the audit trail',
};

export const EXPIRIES = [
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'never', label: 'never' },
];

export const TEXT = {
  about: 'For scripts, the command line and CI. A key acts for the account, within its scopes.',
  add: 'Create API key',
  noneTitle: 'No API keys yet',
  none: 'Create one to use the API or the command line.',
  revoke: 'Revoke',
} as const;
