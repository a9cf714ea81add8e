/** Profiles of monitors and scenarios (docs/profiles.md). */
import { z } from 'zod';
import { profileBody } from '../../../schemas/profiles/profile';
import { pageQuery } from '../../../schemas/queries';
import { profile, profilePage } from '../../../schemas/responses/profiles';
import { rolloutPlan } from '../../../schemas/responses/rollouts';
import {
  createProfile,
  deleteProfile,
  PROFILE_READ_ONLY_FIELDS,
  planReplacement,
  profileKind,
  replaceProfile,
} from '../../../services/rollouts/profiles';
import { PATCHES } from '../../openapi/named-shapes';
import { replacementShape } from '../../routing/replace-body';
import {
  createRoute,
  createVerbs,
  deleteRoute,
  getRoute,
  listRoute,
  type Reading,
} from '../../routing/resource-routes';
import type { Route } from '../../routing/route';
import { plannedRoutes } from '../rollouts/planned-routes';
import { DEFINITION_CODES } from './definition-routes';
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

const changeRoutes = plannedRoutes(PROFILES, {
  schema: z.union([profile, rolloutPlan]),
  body: replacementShape(profileBody, PROFILE_READ_ONLY_FIELDS),
  codes: [...DEFINITION_CODES, 'limit_reached'],
  read,
  replace: ({ services, principal, ...change }, body) =>
    replaceProfile(services, principal, { ...change, body }),
  plan: ({ services, principal, ...change }, body) =>
    planReplacement(services, principal.accountId, { ...change, body }),
  put: {
    summary: 'Replace a profile as a whole; a rollout carries it to all its users',
    example: EXAMPLE,
  },
  patch: {
    summary:
      'Change single fields (JSON merge patch, RFC 7396); a rollout carries them to all users',
    shape: PATCHES.ProfilePatch,
    example: { set: { interval: 60 } },
  },
});

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
    example: EXAMPLE,
    create: ({ services, principal }, body) => createProfile(services, principal.accountId, body),
  }),
  getRoute(PROFILES, READ),
  ...changeRoutes,
  deleteRoute(PROFILES, {
    summary: 'Delete a profile that nothing uses any more',
    codes: ['in_use'],
    remove: ({ services, principal, ...change }) =>
      deleteProfile(services, principal.accountId, change),
  }),
];
