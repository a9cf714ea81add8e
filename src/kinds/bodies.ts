/** Bodies of each kind beside HTTP: what a valid one comes to, and how the reference describes it. */
import { z } from 'zod';
import type { NetworkKind } from '../contracts/kinds';
import { tlsField } from '../schemas/fields';
import { dnsBodyFields } from './dns/shape';
import { domainBodyFields, domainInterval } from './domain/shape';
import type { ReadKind } from './fields';
import { grpcBodyFields } from './grpc/shape';
import { pingBodyFields } from './ping/shape';
import { monitorRulesOf, sentFields } from './sent-fields';
import { KIND_SHAPES } from './shapes';
import { tcpBodyFields } from './tcp/shape';
import { tlsBodyFields } from './tls/shape';
import { webSocketBodyFields } from './websocket/shape';

type Sent = z.output<z.ZodObject<typeof sentFields>> & {
  readonly tls: z.output<typeof tlsField>;
};

/** A monitor of a kind beside HTTP. */
export interface NetworkBody extends Sent {
  readonly type: NetworkKind;
  readonly kind: ReadKind;
}

/** Of a body that is valid; people are warned of certificates only where the kind meets some. */
export function networkBodyOf(type: NetworkKind, sent: Sent): NetworkBody {
  const { name, alerts, dependsOn, hours, outside, runbookUrl, note, group, tags } = sent;
  const { key, enabled } = sent;
  const { interval, regions, variables, quorum, timeoutMs, retries, degradedAboveMs, tls } = sent;
  const { hasCertificate, intervalMin = 0, read } = KIND_SHAPES[type];
  const kind = read(sent);
  return {
    type,
    name,
    alerts,
    dependsOn,
    hours,
    outside,
    runbookUrl,
    note,
    group,
    tags,
    key,
    enabled,
    // One that is given is not below it.
    interval: Math.max(interval, intervalMin),
    regions,
    variables,
    quorum,
    timeoutMs,
    retries,
    degradedAboveMs,
    ...monitorRulesOf(sent),
    tls: { warnDays: [...(kind.warnDays ?? (hasCertificate ? tls.warnDays : []))] },
    kind,
  };
}

/** For the reference; what checks a body is `monitorBody`. */
export const tcpMonitorBody = z.strictObject({
  type: z.literal('tcp').meta({ description: 'Connects to a port, and may talk to its server' }),
  ...sentFields,
  ...tcpBodyFields,
  tls: tlsField,
});

export const tlsMonitorBody = z.strictObject({
  type: z.literal('tls').meta({ description: 'Looks at the certificate of a server' }),
  ...sentFields,
  ...tlsBodyFields,
  tls: tlsField,
});

export const dnsMonitorBody = z.strictObject({
  type: z.literal('dns').meta({ description: 'Asks name servers for the records of a name' }),
  ...sentFields,
  ...dnsBodyFields,
});

export const pingMonitorBody = z.strictObject({
  type: z.literal('ping').meta({ description: 'Sends ICMP packets to a host' }),
  ...sentFields,
  ...pingBodyFields,
});

export const webSocketMonitorBody = z.strictObject({
  type: z
    .literal('websocket')
    .meta({ description: 'Opens a WebSocket, and may wait for a message' }),
  ...sentFields,
  ...webSocketBodyFields,
  tls: tlsField,
});

export const grpcMonitorBody = z.strictObject({
  type: z.literal('grpc').meta({ description: 'Asks the health service of a gRPC server' }),
  ...sentFields,
  ...grpcBodyFields,
  tls: tlsField,
});

export const domainMonitorBody = z.strictObject({
  type: z
    .literal('domain')
    .meta({ description: 'Asks a registry until when a domain is registered' }),
  ...sentFields,
  interval: domainInterval,
  ...domainBodyFields,
});

/** All of them, in the order of the reference. */
export const NETWORK_BODIES = [
  tcpMonitorBody,
  tlsMonitorBody,
  dnsMonitorBody,
  pingMonitorBody,
  webSocketMonitorBody,
  grpcMonitorBody,
  domainMonitorBody,
] as const;
