/** The kinds of checks beside HTTP, a line each: what the service, the command line and the dashboard know of them. */
import { NETWORK_KINDS, type NetworkKind } from '../contracts/kinds';
import { DNS_SHAPE, dnsOptional } from './dns/shape';
import { DOMAIN_SHAPE, domainOptional } from './domain/shape';
import type { KindShape } from './fields';
import { GRPC_SHAPE, grpcOptional } from './grpc/shape';
import { PING_SHAPE, pingOptional } from './ping/shape';
import { TCP_SHAPE, tcpOptional } from './tcp/shape';
import { TLS_SHAPE, tlsOptional } from './tls/shape';
import { WEB_SOCKET_SHAPE, webSocketOptional } from './websocket/shape';

export const KIND_SHAPES: Readonly<Record<NetworkKind, KindShape>> = {
  tcp: TCP_SHAPE,
  tls: TLS_SHAPE,
  dns: DNS_SHAPE,
  ping: PING_SHAPE,
  websocket: WEB_SOCKET_SHAPE,
  grpc: GRPC_SHAPE,
  domain: DOMAIN_SHAPE,
};

/** The fields of all kinds, as a body of any type may have them; what is called the same is the same. */
export const networkOptional = {
  ...tcpOptional,
  ...tlsOptional,
  ...dnsOptional,
  ...pingOptional,
  ...webSocketOptional,
  ...grpcOptional,
  ...domainOptional,
};

/** Names of the fields that the kind has beside those of every kind. */
export function ownFieldNames(type: NetworkKind): readonly string[] {
  const { fields, hasCertificate } = KIND_SHAPES[type];
  return [...Object.keys(fields), ...(hasCertificate ? ['tls'] : [])];
}

/** Its fields without a default. */
export function requiredFieldNames(type: NetworkKind): readonly string[] {
  return Object.entries(KIND_SHAPES[type].fields)
    .filter(([, field]) => field._zod.optin === undefined)
    .map(([name]) => name);
}

/** What its fields are where a body leaves them out. */
export function readDefaults(type: NetworkKind): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(KIND_SHAPES[type].fields).flatMap(([name, field]) => {
      const { success, data } = field.safeParse(undefined);
      return success ? [[name, data] as const] : [];
    }),
  );
}

/** The kinds that have the field. */
export function kindsWith(name: string): readonly NetworkKind[] {
  return NETWORK_KINDS.filter((type) => ownFieldNames(type).includes(name));
}
