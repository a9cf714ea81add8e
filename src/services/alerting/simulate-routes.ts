/** Shows which policy a resource has, which route chose it, and whom the policy notifies. */
import { getDomain } from 'tldts';
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import type { Routed } from '../../domain/alerting/alert-routes';
import { findGroupKey, HEARTBEAT_GROUP, normalizeGroup } from '../../domain/definitions/grouping';
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import { AppError } from '../../platform/errors';
import type { SimulateRoutesBody } from '../../schemas/alert-policy';
import type { RouteSimulationResponse } from '../../schemas/responses/alert-routes';
import type { Dependencies } from '../ports/dependencies';
import { chooseByRoutes, choosePolicy } from './choose-policy';
import { simulate } from './simulate-policy';

interface RoutesRequest extends Pick<SimulateRoutesBody, 'resourceId' | 'resource'> {
  readonly atMs: number;
  readonly kind: AlertKind;
}

/** Finds the policy in the same way as a new escalation. Throws `validation_failed` for an unknown resource. */
export async function simulateRoutes(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { resourceId = '', resource, atMs, kind }: RoutesRequest,
): Promise<RouteSimulationResponse> {
  const { tags, chosen } =
    resource === undefined
      ? await chooseForSaved({ stores }, accountId, resourceId)
      : {
          tags: resource.tags,
          chosen: await chooseByRoutes({ stores }, accountId, buildRouted(resource)),
        };
  const { policy, chosenBy, route } = chosen;
  if (policy === null) return { ...NOBODY, chosenBy, route };
  const { id, key, name } = policy;
  const simulation = await simulate({ stores }, policy, { accountId, atMs, kind, tags });
  return { policy: { id, key, name }, chosenBy, route, ...simulation };
}

async function chooseForSaved(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  resourceId: string,
) {
  const saved = await requireAny({ stores }, accountId, resourceId);
  return { tags: saved.tags, chosen: await choosePolicy({ stores }, saved) };
}

function buildRouted({ type, group, url, tags }: NonNullable<RoutesRequest['resource']>): Routed {
  const isNamedByKind = type === 'heartbeat' && normalizeGroup(group ?? '') === '';
  const host = url !== null && URL.canParse(url) ? new URL(url).hostname : '';
  const domain = getDomain(host, { allowPrivateDomains: true });
  const groupKey = isNamedByKind ? HEARTBEAT_GROUP : findGroupKey(group, host, domain);
  return { type, tags, groupKey };
}

const NOBODY: RouteSimulationResponse = {
  policy: null,
  chosenBy: null,
  route: null,
  isEscalated: false,
  notifications: [],
};

async function requireAny(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  id: string,
): Promise<Resource> {
  const found = isId('monitor', id)
    ? await stores.monitors.find(accountId, id)
    : isId('scenario', id) && (await stores.scenarios.find(accountId, id));
  if (found !== null && found !== false) return found;
  const message = 'is not a monitor or a scenario of this account';
  const errors = [{ path: 'resourceId', code: 'unknown_id', message }];
  throw new AppError('validation_failed', `resourceId ${message}.`, { errors });
}
