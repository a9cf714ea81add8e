/** The schemas of all kinds of checks except HTTP, one line each. */
import { NETWORK_KINDS, type NetworkCheck, type NetworkKind } from '../contracts/kinds';
import { DNS_SHAPE } from './dns/shape';
import { DOMAIN_SHAPE } from './domain/shape';
import type { KindShape, TargetFields } from './fields';
import { GRPC_SHAPE } from './grpc/shape';
import { PING_SHAPE } from './ping/shape';
import { TCP_SHAPE } from './tcp/shape';
import { TLS_SHAPE } from './tls/shape';
import { WEB_SOCKET_SHAPE } from './websocket/shape';

export const KIND_SHAPES: { readonly [Type in NetworkKind]: KindShape<Type> } = {
  tcp: TCP_SHAPE,
  tls: TLS_SHAPE,
  dns: DNS_SHAPE,
  ping: PING_SHAPE,
  websocket: WEB_SOCKET_SHAPE,
  grpc: GRPC_SHAPE,
  domain: DOMAIN_SHAPE,
};

/** Fields that HTTP also has, but with a different schema. */
export const SHARED_WITH_HTTP: readonly string[] = ['tls', 'url', 'headers'];

/** Returns the fields of a check as responses show them. */
export function presentSettings<Type extends NetworkKind>(check: NetworkCheck<Type>): TargetFields {
  const { present } = KIND_SHAPES[check.type];
  return present === undefined ? check.settings : present(check.settings);
}

/** Returns the names of the kind's own fields. Leaves out the fields that every kind has. */
export function listOwnFieldNames(type: NetworkKind): readonly string[] {
  const { fields, hasCertificate } = KIND_SHAPES[type];
  return [...Object.keys(fields), ...(hasCertificate ? ['tls'] : [])];
}

/** Returns the names of the kind's fields that have no default. */
export function listRequiredFieldNames(type: NetworkKind): readonly string[] {
  return Object.entries(KIND_SHAPES[type].fields)
    .filter(([, field]) => field._zod.optin === undefined)
    .map(([name]) => name);
}

/** Returns the kind's default values of fields. */
export function readDefaults(type: NetworkKind): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(KIND_SHAPES[type].fields).flatMap(([name, field]) => {
      const { success, data } = field.safeParse(undefined);
      return success ? [[name, data] as const] : [];
    }),
  );
}

export function findKindsWith(name: string): readonly NetworkKind[] {
  return NETWORK_KINDS.filter((type) => listOwnFieldNames(type).includes(name));
}
