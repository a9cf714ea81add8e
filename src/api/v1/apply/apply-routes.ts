/** Applies and exports whole sets of objects by key. */

import { applyBody } from '../../../schemas/apply';
import { createFileSchema } from '../../../schemas/file-schema';
import { exportQuery } from '../../../schemas/queries';
import {
  type AppliedObject,
  type AppliedSet,
  appliedSet,
  exportedSet,
  fileSchema,
} from '../../../schemas/responses/apply';
import type { RecordedChange } from '../../../services/accounts/audit-events';
import { applyPlannedSet } from '../../../services/apply/apply-planned-set';
import { exportSet } from '../../../services/apply/export-set';
import { oncePerServices } from '../../routing/once-per-services';
import { okResponse } from '../../routing/response';
import { publicRoute, type Route, route } from '../../routing/route';
import { maskDefinitions } from '../resources/mask-definition';

/** A set of the maximum size may take this long on a busy machine. */
const APPLY_DEADLINE_MS = 120_000;
const EXPORT_DEADLINE_MS = 30_000;
const APPLY_BYTES_MAX = 4 * 1024 * 1024;

const ACTIONS = { create: 'create', update: 'update', delete: 'delete' } as const;

const getFileSchema = oncePerServices(({ publicUrl }) => createFileSchema(publicUrl));

export const applyRoutes: readonly Route[] = [
  route({
    endpoint: 'POST /v1/apply',
    operationId: 'applySet',
    tag: 'Configuration as code',
    summary: 'Apply a set of definitions',
    description:
      'Creates and changes objects by `key` until they match the set; each object succeeds or fails on its own. Only `prune` deletes objects. With `dryRun`, the response is the plan, and nothing changes.',
    guide: 'docs/api/apply.md',
    scope: 'write',
    audit: 'configuration.apply',
    body: applyBody,
    bodyBytesMax: APPLY_BYTES_MAX,
    deadlineMs: APPLY_DEADLINE_MS,
    responses: {
      200: {
        description: 'An outcome for each object; some may have failed',
        schema: appliedSet,
      },
    },
    codes: ['version_mismatch'],
    example: {
      dryRun: true,
      monitors: [{ key: 'shop-home', name: 'Shop', url: 'https://shop.example.com/' }],
    },
    handler: async (principal, { services, body }) =>
      appliedResponse(await applyPlannedSet(services, principal, body)),
  }),
  route({
    endpoint: 'GET /v1/export',
    operationId: 'exportSet',
    tag: 'Configuration as code',
    summary: 'Export a set of definitions',
    description:
      'Returns all definitions, or those of a `set` or `tag`, as a body for apply. Applied again, it changes nothing. It contains no secrets.',
    guide: 'docs/api/apply.md#export',
    scope: 'read',
    query: exportQuery,
    deadlineMs: EXPORT_DEADLINE_MS,
    load: 'export',
    responses: { 200: { description: 'The set', schema: exportedSet } },
    handler: async (principal, { services, query }) => {
      const set = await exportSet(services, principal.accountId, query);
      const monitors = maskDefinitions(principal, set.monitors);
      const scenarios = maskDefinitions(principal, set.scenarios);
      const profiles = maskDefinitions(principal, set.profiles);
      return okResponse({ ...set, profiles, monitors, scenarios });
    },
  }),
  publicRoute({
    endpoint: 'GET /v1/schema.json',
    operationId: 'getFileSchema',
    tag: 'Configuration as code',
    summary: 'Get the schema of definition files',
    description: 'Returns the JSON Schema of the files that `keepwatch apply` reads, for editors.',
    guide: 'docs/files.md',
    responses: { 200: { description: 'The schema', schema: fileSchema } },
    handler: async ({ services }) => okResponse(getFileSchema(services)),
  }),
];

/** Responds with the applied set. The audit trail gets a separate change for each changed object. */
function appliedResponse(applied: AppliedSet) {
  return { ...okResponse(applied), changes: applied.objects.flatMap(toChange) };
}

function toChange({ kind, id, action, outcome, changes }: AppliedObject): RecordedChange[] {
  if (outcome !== 'done' || action === 'unchanged') return [];
  const resourceType = kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const side = (which: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [change.path, change[which]]));
  const before = action === 'create' ? null : side('before');
  const after = action === 'delete' ? null : side('after');
  return [
    { action: `${resourceType}.${ACTIONS[action]}`, resourceType, resourceId: id, before, after },
  ];
}
