/** Profiles of monitors and scenarios (docs/profiles.md). */
import {
  documentedProfileBody,
  type ProfileBody,
  profileBody,
} from '../../../schemas/profiles/profile';
import { pageQuery } from '../../../schemas/queries';
import { profile, profilePage } from '../../../schemas/responses/profiles';
import {
  createProfile,
  deleteProfile,
  PROFILE_READ_ONLY_FIELDS,
  profileKind,
  replaceProfile,
} from '../../../services/profiles/profiles';
import { PATCHES } from '../../openapi/named-shapes';
import { replacementShape } from '../../routing/replace-body';
import {
  createRoute,
  createVerbs,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Reading,
  type Replacing,
  replaceRoute,
} from '../../routing/resource-routes';
import type { Route } from '../../routing/route';
import { allShownTo, shownTo } from './shown-definition';

const PROFILES = {
  tag: 'Service',
  path: '/v1/profiles',
  param: 'profileId',
  operand: 'Profile',
  audit: 'profile',
  the: 'The profile',
} as const;

const EXAMPLE = {
  key: 'shop',
  name: 'Checks of the shop',
  set: { interval: 30, retries: 2, headers: { 'X-Team': 'shop' }, tags: ['shop'] },
};

const { list, read } = createVerbs(profileKind);

const READ: Reading<typeof profile> = {
  summary: 'Read a profile',
  schema: profile,
  read: async (target) => shownTo(target.principal, await read(target)),
};

const REPLACEMENT: Replacing<ProfileBody, typeof profile> = {
  ...READ,
  // Unmasked, because a patch is merged into what is read.
  read,
  summary: 'Replace a profile as a whole',
  body: replacementShape(profileBody, PROFILE_READ_ONLY_FIELDS),
  documented: documentedProfileBody,
  example: EXAMPLE,
  replace: ({ services, principal, ...change }, body) =>
    replaceProfile(services, principal.accountId, { ...change, body }),
};

export const profileRoutes: readonly Route[] = [
  listRoute(PROFILES, {
    summary: 'List profiles, newest first',
    query: pageQuery,
    schema: profilePage,
    list: async (caller, query) => {
      const page = await list(caller, query);
      return { ...page, data: allShownTo(caller.principal, page.data) };
    },
  }),
  createRoute(PROFILES, {
    summary: 'Create a profile: values that monitors and scenarios inherit',
    body: profileBody,
    schema: profile,
    codes: ['key_taken', 'limit_reached'],
    documented: documentedProfileBody,
    example: EXAMPLE,
    create: ({ services, principal }, body) => createProfile(services, principal.accountId, body),
  }),
  getRoute(PROFILES, READ),
  replaceRoute(PROFILES, REPLACEMENT),
  patchRoute(PROFILES, REPLACEMENT, {
    patch: PATCHES.ProfilePatch,
    example: { set: { interval: 60 } },
  }),
  deleteRoute(PROFILES, {
    summary: 'Delete a profile that nothing uses any more',
    codes: ['in_use'],
    remove: ({ services, principal, ...change }) =>
      deleteProfile(services, principal.accountId, change),
  }),
];
