/** Whole sets of objects by key: applied and exported. */
import { applyBody } from '../../../schemas/apply';
import { createFileSchema } from '../../../schemas/file-schema';
import { exportQuery } from '../../../schemas/queries';
import type { RecordedChange } from '../../../services/accounts/record-changes';
import type { AppliedObject, AppliedSet } from '../../../services/apply/apply-outcome';
import { applySet } from '../../../services/apply/apply-set';
import { exportSet } from '../../../services/apply/export-set';
import type { Dependencies } from '../../../services/ports/dependencies';
import { okResponse, type RouteResponse } from '../../routing/response';
import { NO_BODY, NO_QUERY, publicRoute, type Route, route } from '../../routing/route';
import { allShownTo } from '../resources/shown-definition';

/** So long may a set of the greatest size take on a busy machine. */
const APPLY_DEADLINE_MS = 120_000;
const EXPORT_DEADLINE_MS = 30_000;
const APPLY_BYTES_MAX = 4 * 1024 * 1024;

const ACTIONS = { create: 'create', update: 'update', delete: 'delete' } as const;

export function applyRoutes(services: Dependencies): readonly Route[] {
  let fileSchema: ReturnType<typeof createFileSchema> | undefined;
  return [
    route({
      endpoint: 'POST /v1/apply',
      scope: 'write',
      body: applyBody,
      bodyBytesMax: APPLY_BYTES_MAX,
      query: NO_QUERY,
      deadlineMs: APPLY_DEADLINE_MS,
      handler: async ({ accountId }, { body }) =>
        applyAnswer(await applySet(services, accountId, body)),
    }),
    route({
      endpoint: 'GET /v1/export',
      scope: 'read',
      body: NO_BODY,
      query: exportQuery,
      deadlineMs: EXPORT_DEADLINE_MS,
      load: 'export',
      handler: async (principal, { query }) => {
        const set = await exportSet(services, principal.accountId, query);
        const monitors = allShownTo(principal, set.monitors);
        const scenarios = allShownTo(principal, set.scenarios);
        return okResponse({ ...set, monitors, scenarios });
      },
    }),
    publicRoute({
      endpoint: 'GET /v1/schema.json',
      body: NO_BODY,
      query: NO_QUERY,
      handler: async () => {
        fileSchema ??= createFileSchema(services.publicUrl);
        return okResponse(fileSchema);
      },
    }),
  ];
}

/** Each object that was changed is a change of its own in the trail. */
function applyAnswer(applied: AppliedSet): RouteResponse {
  return { ...okResponse(applied), changes: applied.objects.flatMap(changeOf) };
}

function changeOf({ kind, id, action, outcome, changes }: AppliedObject): RecordedChange[] {
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
