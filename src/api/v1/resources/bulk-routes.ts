import { z } from 'zod';
import { isId } from '../../../domain/definitions/ids';
import { type CheckBulkBody, checkBulkBody, monitorBulkBody } from '../../../schemas/bulk';
import {
  type BulkResponse,
  bulkResponse,
  rollout,
  rolloutPlan,
} from '../../../schemas/responses/rollouts';
import type { Principal } from '../../../services/accounts/principal';
import {
  bulkChecks,
  type CheckType,
  type DirectBulkBody,
} from '../../../services/operations/bulk-checks';
import type { Dependencies } from '../../../services/ports/dependencies';
import { showRollout } from '../../../services/rollouts/present-rollout';
import { setFields } from '../../../services/rollouts/set-fields';
import { okResponse, type ResponseTo } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import { startedResponse } from '../rollouts/started-response';
import { DEFINITION_CODES } from './definition-routes';

/** An action on 500 resources may take this long on a busy machine. */
const BULK_DEADLINE_MS = 120_000;

const RESPONSES = {
  200: {
    description: 'An outcome for each; for a dry run of `set`, the plan',
    schema: z.union([bulkResponse, rolloutPlan]),
  },
  202: { description: 'The rollout that `set` has started', schema: rollout, isLocated: true },
} as const;

const COMMON = {
  scope: 'write',
  deadlineMs: BULK_DEADLINE_MS,
  responses: RESPONSES,
  codes: [...DEFINITION_CODES, 'limit_reached'],
} as const;

export const bulkRoutes: readonly Route[] = [
  route({
    ...COMMON,
    endpoint: 'POST /v1/monitors/bulk',
    operationId: 'bulkChangeMonitors',
    tag: 'Monitors',
    summary: 'Change many monitors',
    description:
      'Pauses, resumes, deletes, tags or groups up to 500 monitors; each one succeeds or fails on its own. The action `set` starts a rollout instead (202), and with `dryRun` only returns its plan.',
    guide: 'docs/api/monitors.md#many-at-once',
    audit: 'monitor.bulk',
    body: monitorBulkBody,
    example: { filter: { group: 'shop' }, action: 'pause', reason: 'deployment' },
    handler: (principal, { services, body }) =>
      respond(services, principal, { body, types: ['monitor'] }),
  }),
  route({
    ...COMMON,
    endpoint: 'POST /v1/checks/bulk',
    operationId: 'bulkChangeChecks',
    tag: 'Checks',
    summary: 'Change many monitors and scenarios',
    description:
      'Pauses, resumes, deletes, tags or groups up to 500 monitors and scenarios; each one succeeds or fails on its own. The action `set` starts a rollout instead (202), and with `dryRun` only returns its plan.',
    guide: 'docs/api/monitors.md#many-at-once',
    audit: 'check.bulk',
    body: checkBulkBody,
    example: { filter: { tag: 'checkout' }, action: 'set', set: { interval: 30 } },
    handler: (principal, { services, body }) =>
      respond(services, principal, { body, types: ['monitor', 'scenario'] }),
  }),
];

interface BulkRequest {
  readonly body: CheckBulkBody;
  readonly types: readonly CheckType[];
}

async function respond(
  services: Dependencies,
  principal: Principal,
  { body, types }: BulkRequest,
): Promise<ResponseTo<typeof RESPONSES>> {
  if (body.action !== 'set')
    return responseTo(body, await bulkChecks(services, principal.accountId, { body, types }));
  const done = await setFields(services, principal, { body, types });
  if ('plan' in done) return { ...okResponse(done.plan), changes: [] };
  const started = await showRollout(services, done.rollout);
  return startedResponse(started, { action: 'rollout.create', resourceId: started.id });
}

/** Builds the response. The audit trail lists each changed monitor or scenario separately. */
function responseTo(
  { ids: _ids, filter: _filter, ...change }: DirectBulkBody,
  body: BulkResponse,
): ResponseTo<typeof RESPONSES> {
  const changes = body.data
    .filter(({ ok }) => ok)
    .map(({ id }) => {
      const resourceType = isId('scenario', id) ? 'scenario' : 'monitor';
      return {
        action: `${resourceType}.${change.action}`,
        resourceType,
        resourceId: id,
        before: null,
        after: change,
      };
    });
  return { ...okResponse(body), changes };
}
