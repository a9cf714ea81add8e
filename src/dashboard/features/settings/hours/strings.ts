/** Texts of the settings for service hours. */
import type { KeyedKind } from '../keyed/keyed';

export const HOURS: KeyedKind = {
  path: '/v1/hours',
  touches: ['/v1/hours', '/v1/monitors', '/v1/scenarios', '/v1/overview', '/v1/checks'],
  text: {
    about:
      'Weekly times, such as office hours. Checks use them to run or alert only then; alert policies use them to limit steps.',
    add: 'Add hours',
    edit: 'Edit hours',
    noneTitle: 'No hours yet',
    none: 'Define when your service is open, then choose the hours in a check.',
    noneReadOnly: 'An editor of this account can add hours here.',
    saved: 'Hours saved.',
    deleted: 'Hours deleted.',
    loss: 'Their times and holidays are lost. Hours that are still in use can’t be deleted.',
  },
};
