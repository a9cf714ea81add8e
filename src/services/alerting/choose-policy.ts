/** Chooses the alert policy of a resource: its own policy, or the policy of the first matching route. */
import { findFirstRoute, type Routed } from '../../domain/alerting/alert-routes';
import type { AlertPolicy } from '../../models/alerting/alert-policies';
import type { Resource } from '../../models/resources/resource';
import type { Dependencies } from '../ports/dependencies';

export interface ChosenPolicy {
  /** The policy. null if alerts go to the channels of the resource. */
  readonly policy: AlertPolicy | null;
  readonly chosenBy: 'resource' | 'route' | null;
  /** Number of the route that chose the policy, counted from 1. null if no route matched. */
  readonly route: number | null;
}

/** A resource. Only monitors have the field `heartbeat`. */
type Chooser = Resource & { readonly heartbeat?: object | null };

/** Chooses the policy. If the resource names a policy that was deleted, the name is ignored. */
export async function choosePolicy(
  { stores }: Pick<Dependencies, 'stores'>,
  resource: Chooser,
): Promise<ChosenPolicy> {
  const { accountId, alerts } = resource;
  const named = await findByKey({ stores }, accountId, alerts.policy);
  if (named !== null) return { policy: named, chosenBy: 'resource', route: null };
  return chooseByRoutes({ stores }, accountId, readRouted(resource));
}

/** Chooses the policy by the routes, for resources that name none. */
export async function chooseByRoutes(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  routed: Routed,
): Promise<ChosenPolicy> {
  const routes = (await stores.alertRoutes.find(accountId))?.routes ?? [];
  const index = findFirstRoute(routes, routed);
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

function readRouted({ heartbeat, tags, groupKey }: Chooser): Routed {
  if (heartbeat === undefined) return { type: 'scenario', tags, groupKey };
  return { type: heartbeat === null ? 'monitor' : 'heartbeat', tags, groupKey };
}
