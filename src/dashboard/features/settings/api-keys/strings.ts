/** Texts of the API keys. */
import type { ApiKey } from '../../../shared/data/api-types';

type Scope = ApiKey['scopes'][number];

/** The scopes, from lowest to highest. Each scope includes all lower scopes. */
const SCOPES = ['read', 'run', 'write', 'admin'] as const satisfies readonly Scope[];

/** Describes what a key may do, by its highest scope. */
const ACCESS_WORDS: Readonly<Record<Scope, string>> = {
  read: 'Read only',
  run: 'Read and run checks',
  write: 'Read, run and edit, except members and keys',
  admin: 'Full access, including members and keys',
};

export const SCOPE_CHOICES = SCOPES.map((value) => ({ value, label: ACCESS_WORDS[value] }));

/** Returns a text like `Read and run checks`. */
export function accessWords(scopes: readonly Scope[]): string {
  const highest = SCOPES.findLast((scope) => scopes.includes(scope));
  return highest === undefined ? 'Nothing' : ACCESS_WORDS[highest];
}

export const EXPIRIES = [
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'never', label: 'never' },
];

export const TEXT = {
  about: 'For scripts, the command line and CI. A key acts for the account, within its access.',
  access: 'Access',
  add: 'Create API key',
  noneTitle: 'No API keys yet',
  none: 'Create one to use the API or the command line.',
  revoke: 'Revoke',
  operator: 'Manage all accounts',
  operatorHint:
    'For keepwatch operator: list, create, suspend and delete accounts of this installation.',
} as const;
