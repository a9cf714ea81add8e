/** The alert policy of a resource: the one that it names, else the one of the first route that matches. */
import { firstRoute, type Routed } from '../../domain/alerting/alert-routes';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { Resource } from '../../models/resources/resource';
import type { Dependencies } from '../ports/dependencies';

export interface ChosenPolicy {
  /** null: alerts go to the channels of the resource. */
  readonly policy: AlertPolicy | null;
  readonly chosenBy: 'resource' | 'route' | null;
  /** From 1; null where no route chose. */
  readonly route: number | null;
}

/** Of a monitor only. */
type Chooser = Resource & { readonly heartbeat?: object | null };

/** A named policy that is gone counts as none. */
export async function choosePolicy(
  { stores }: Pick<Dependencies, 'stores'>,
  resource: Chooser,
): Promise<ChosenPolicy> {
  const { accountId, alerts } = resource;
  const named = await findByKey({ stores }, accountId, alerts.policy);
  if (named !== null) return { policy: named, chosenBy: 'resource', route: null };
  return chooseByRoutes({ stores }, accountId, routedOf(resource));
}

/** For what names no policy itself, saved or not. */
export async function chooseByRoutes(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  routed: Routed,
): Promise<ChosenPolicy> {
  const routes = (await stores.alertRoutes.find(accountId))?.routes ?? [];
  const index = firstRoute(routes, routed);
  if (index === null) return { policy: null, chosenBy: null, route: null };
  const policy = await findByKey({ stores }, accountId, routes[index]?.policy ?? null);
  return { policy, chosenBy: 'route', route: index + 1 };
}

async function findByKey(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  key: string | null,
): Promise<AlertPolicy | null> {
  return key === null ? null : stores.alertPolicies.findByKey(accountId, key);
}

function routedOf({ heartbeat, tags, groupKey }: Chooser): Routed {
  if (heartbeat === undefined) return { type: 'scenario', tags, groupKey };
  return { type: heartbeat === null ? 'monitor' : 'heartbeat', tags, groupKey };
}
