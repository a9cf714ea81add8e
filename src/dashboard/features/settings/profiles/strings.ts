/** Texts of the settings for profiles. */
import type { KeyedKind } from '../keyed/keyed';

export const PROFILES: KeyedKind = {
  path: '/v1/profiles',
  touches: ['/v1/profiles', '/v1/monitors', '/v1/scenarios', '/v1/checks'],
  text: {
    about:
      'Shared settings, such as interval, regions and alerts. A check uses its profile’s values unless it has its own.',
    add: 'Add profile',
    edit: 'Edit profile',
    noneTitle: 'No profiles yet',
    none: 'Put settings that many checks share into a profile, then choose it in each check.',
    noneReadOnly: 'An editor of this account can add profiles here.',
    saved: 'Profile saved.',
    deleted: 'Profile deleted.',
    loss: 'A profile that is still in use can’t be deleted.',
  },
};
