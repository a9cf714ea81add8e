/** Texts of the settings for environments. */
import type { KeyedKind } from '../keyed/keyed';

export const ENVIRONMENTS: KeyedKind = {
  path: '/v1/environments',
  touches: [
    '/v1/environments',
    '/v1/variables',
    '/v1/rollouts',
    '/v1/monitors',
    '/v1/scenarios',
    '/v1/checks',
  ],
  text: {
    about:
      'Sets of variable values, such as staging and production. Changing one updates every check that uses it.',
    add: 'Add environment',
    edit: 'Edit environment',
    noneTitle: 'No environments yet',
    none: 'Add one, use its variables as {{name}} in a check, then choose the environment in that check.',
    noneReadOnly: 'An editor of this account can add environments here.',
    saved: 'Environment saved.',
    deleted: 'Environment deleted.',
    loss: 'An environment that is still in use can’t be deleted.',
  },
};

export const VARIABLES_TEXT = {
  title: 'Account variables',
  about: 'Every check can use these as {{name}}. An environment or a check can override a value.',
} as const;
