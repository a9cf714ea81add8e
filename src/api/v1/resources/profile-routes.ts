/** Profiles of monitors and scenarios (docs/profiles.md). */
import { z } from 'zod';
import { type ProfileBody, profileBody } from '../../../schemas/profiles/profile';
import { pageQuery } from '../../../schemas/queries';
import { profile, profilePage } from '../../../schemas/responses/profiles';
import { rolloutPlan } from '../../../schemas/responses/rollouts';
import type { Principal } from '../../../services/accounts/principal';
import type { ObjectChange } from '../../../services/objects/object-verbs';
import type { Dependencies } from '../../../services/ports/dependencies';
import {
  createProfile,
  deleteProfile,
  PROFILE_READ_ONLY_FIELDS,
  planReplacement,
  profileKind,
  replaceProfile,
} from '../../../services/rollouts/profiles';
import { PATCHES } from '../../openapi/named-shapes';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import { replacementShape } from '../../routing/replace-body';
import {
  createRoute,
  createVerbs,
  deleteRoute,
  getRoute,
  listRoute,
  type Reading,
} from '../../routing/resource-routes';
import { type ResponseTo, resourceResponse } from '../../routing/response';
import { PATCH_BODY, type Route, route } from '../../routing/route';
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

const BODY = replacementShape(profileBody, PROFILE_READ_ONLY_FIELDS);
const PROFILE_ID = 'profileId';

/** A plan of thousands of users may take this long on a busy machine. */
const CHANGE_DEADLINE_MS = 120_000;

const dryRunQuery = z.strictObject({
  dryRun: z.enum(['true', 'false']).optional().meta({
    description: 'true: returns the plan for all users, and changes nothing',
  }),
});

const CHANGE = {
  tag: 'Service',
  scope: 'write',
  query: dryRunQuery,
  deadlineMs: CHANGE_DEADLINE_MS,
  responses: {
    200: {
      description: 'The profile; for a dry run, the plan',
      schema: z.union([profile, rolloutPlan]),
    },
  },
  codes: [...DEFINITION_CODES, 'limit_reached', 'version_mismatch'],
} as const;

interface Changing extends Pick<ObjectChange, 'id' | 'accept'> {
  readonly services: Dependencies;
  readonly principal: Principal;
  readonly query: z.output<typeof dryRunQuery>;
}

async function change(
  { services, principal, query, id, accept }: Changing,
  body: ProfileBody,
): Promise<ResponseTo<typeof CHANGE.responses>> {
  if (query.dryRun !== 'true')
    return resourceResponse(await replaceProfile(services, principal, { id, accept, body }));
  const planned = await planReplacement(services, principal.accountId, { id, accept, body });
  return { ...resourceResponse(planned.profile), body: planned.plan, changes: [] };
}

const replaceProfileRoute = route({
  ...CHANGE,
  endpoint: `PUT /v1/profiles/:${PROFILE_ID}`,
  operationId: 'replaceProfile',
  summary: 'Replace a profile as a whole; a rollout carries it to all its users',
  audit: 'profile.put',
  body: BODY,
  example: EXAMPLE,
  readStored: (principal, { services, param }) =>
    read({ services, principal, id: param(PROFILE_ID) }),
  handler: (principal, { services, param, query, body, headers }) => {
    const accept = acceptVersion(headers['if-match']);
    return change({ services, principal, query, id: param(PROFILE_ID), accept }, body);
  },
});

const patchProfileRoute = route({
  ...CHANGE,
  endpoint: `PATCH /v1/profiles/:${PROFILE_ID}`,
  operationId: 'updateProfile',
  summary: 'Change single fields (JSON merge patch, RFC 7396); a rollout carries them to all users',
  audit: 'profile.update',
  body: PATCH_BODY,
  documentedBody: PATCHES.ProfilePatch,
  example: { set: { interval: 60 } },
  handler: (principal, { services, param, query, body: patch, headers }) => {
    const target = { services, principal, id: param(PROFILE_ID) };
    return patchResource(services, {
      patch,
      shape: BODY,
      accept: acceptVersion(headers['if-match']),
      read: () => read(target),
      replace: ({ body, accept }) => change({ ...target, query, accept }, body),
    });
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
  replaceProfileRoute,
  patchProfileRoute,
  deleteRoute(PROFILES, {
    summary: 'Delete a profile that nothing uses any more',
    codes: ['in_use'],
    remove: ({ services, principal, ...change }) =>
      deleteProfile(services, principal.accountId, change),
  }),
];
