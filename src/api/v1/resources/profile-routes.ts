/** The routes of profiles of monitors and scenarios (docs/profiles.md). */
import { z } from 'zod';
import { profile, profilePage } from '../../../schemas/responses/profiles';
import { rolloutPlan } from '../../../schemas/responses/rollouts';
import { PROFILES, previewProfile } from '../../../services/rollouts/profiles';
import { PATCHES } from '../../openapi/named-shapes';
import { objectRoutes } from '../../routing/object-routes';
import type { Route } from '../../routing/route';
import { plannedRoutes } from '../rollouts/planned-routes';
import { DEFINITION_CODES } from './definition-routes';
import { maskDefinition } from './mask-definition';

const DOC = {
  names: {
    tag: 'Profiles',
    path: '/v1/profiles',
    param: 'profileId',
    operand: 'Profile',
    audit: 'profile',
    the: 'The profile',
    one: 'a profile',
    many: 'profiles',
    guide: 'docs/profiles.md',
  },
  schema: profile,
  page: profilePage,
  descriptions: {
    create:
      'Creates a profile: values that monitors and scenarios inherit. It has no effect before a check names it or the account makes it the default.',
    remove: 'Deletes the profile. While something uses it, the response is 409 `in_use`.',
  },
  codes: { create: ['key_taken', 'limit_reached'], remove: ['in_use'] },
  example: {
    key: 'shop',
    name: 'Checks of the shop',
    set: { interval: 30, retries: 2, headers: { 'X-Team': 'shop' }, tags: ['shop'] },
  },
  show: maskDefinition,
} as const;

const { list, create, read, remove } = objectRoutes(PROFILES, DOC);

export const profileRoutes: readonly Route[] = [
  list,
  create,
  read,
  ...plannedRoutes(PROFILES, DOC.names, {
    schema: z.union([profile, rolloutPlan]),
    codes: [...DEFINITION_CODES, 'limit_reached'],
    preview: previewProfile,
    effect:
      'The key cannot be changed. A rollout applies the change to the monitors and scenarios that use it. With `dryRun`, the response is the plan, and nothing changes.',
    put: {
      example: DOC.example,
    },
    patch: {
      shape: PATCHES.ProfilePatch,
      example: { set: { interval: 60 } },
    },
  }),
  remove,
];
