/** Which policy a resource goes by at present, which route chose it, and who would be notified when. */
import type { AlertKind } from '../../contracts/alerts';
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import { AppError } from '../../platform/errors';
import type { RouteSimulationResponse } from '../../schemas/responses/alert-routes';
import type { Dependencies } from '../ports/dependencies';
import { choosePolicy } from './choose-policy';
import { simulationOf } from './simulate-policy';

interface RoutesRequest {
  readonly resourceId: string;
  readonly atMs: number;
  readonly kind: AlertKind;
}

/** By the same rules as an escalation that begins. Throws `validation_failed` for an unknown resource. */
export async function simulateRoutes(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  { resourceId, atMs, kind }: RoutesRequest,
): Promise<RouteSimulationResponse> {
  const resource = await requireAny({ stores }, accountId, resourceId);
  const { policy, chosenBy, route } = await choosePolicy({ stores }, resource);
  if (policy === null) return { ...NOBODY, chosenBy, route };
  const { id, key, name } = policy;
  const request = { accountId, atMs, kind, tags: resource.tags };
  const simulation = await simulationOf({ stores }, policy, request);
  return { policy: { id, key, name }, chosenBy, route, ...simulation };
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
