/** The form of each kind, one line per kind. Only the dashboard loads this file. */
import type { NetworkKind } from '../contracts/kinds';
import { DNS_FORM } from './dns/form';
import { DOMAIN_FORM } from './domain/form';
import { GRPC_FORM } from './grpc/form';
import type { KindInput } from './inputs';
import { PING_FORM } from './ping/form';
import { TCP_FORM } from './tcp/form';
import { TLS_FORM } from './tls/form';
import { WEB_SOCKET_FORM } from './websocket/form';

export const KIND_FORMS: Readonly<Record<NetworkKind, readonly KindInput[]>> = {
  tcp: TCP_FORM,
  tls: TLS_FORM,
  dns: DNS_FORM,
  ping: PING_FORM,
  websocket: WEB_SOCKET_FORM,
  grpc: GRPC_FORM,
  domain: DOMAIN_FORM,
};
