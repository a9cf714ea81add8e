/** The routes of profiles of monitors and scenarios (docs/profiles.md). */
import { z } from 'zod';
import { profile, profilePage } from '../../../schemas/responses/profiles';
import { rolloutPlan } from '../../../schemas/responses/rollouts';
import { PROFILES, previewProfile } from '../../../services/rollouts/profiles';
import { PATCHES } from '../../openapi/named-shapes';
import type { Route } from '../../routing/route';
import { thingRoutes } from '../../routing/thing-routes';
import { plannedRoutes } from '../rollouts/planned-routes';
import { DEFINITION_CODES } from './definition-routes';
import { shownTo } from './shown-definition';

const DOC = {
  names: {
    tag: 'Service',
    path: '/v1/profiles',
    param: 'profileId',
    operand: 'Profile',
    audit: 'profile',
    the: 'The profile',
  },
  schema: profile,
  page: profilePage,
  summaries: {
    list: 'List profiles, newest first',
    create: 'Create a profile: values that monitors and scenarios inherit',
    read: 'Read a profile',
    remove: 'Delete a profile that nothing uses any more',
  },
  codes: { create: ['key_taken', 'limit_reached'], remove: ['in_use'] },
  example: {
    key: 'shop',
    name: 'Checks of the shop',
    set: { interval: 30, retries: 2, headers: { 'X-Team': 'shop' }, tags: ['shop'] },
  },
  show: shownTo,
} as const;

const { list, create, read, remove } = thingRoutes(PROFILES, DOC);

export const profileRoutes: readonly Route[] = [
  list,
  create,
  read,
  ...plannedRoutes(PROFILES, DOC.names, {
    schema: z.union([profile, rolloutPlan]),
    codes: [...DEFINITION_CODES, 'limit_reached'],
    preview: previewProfile,
    put: {
      summary: 'Replace a profile as a whole; a rollout carries it to all its users',
      example: DOC.example,
    },
    patch: {
      summary:
        'Change single fields (JSON merge patch, RFC 7396); a rollout carries them to all users',
      shape: PATCHES.ProfilePatch,
      example: { set: { interval: 60 } },
    },
  }),
  remove,
];
