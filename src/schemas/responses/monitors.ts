/** Monitors of every type as /v1 returns them (docs/api.md). */
import { z } from 'zod';
import { dnsResponseFields } from '../../kinds/dns/shape';
import { domainResponseFields } from '../../kinds/domain/shape';
import { grpcResponseFields } from '../../kinds/grpc/shape';
import { pingResponseFields } from '../../kinds/ping/shape';
import { monitorRuleShapes } from '../../kinds/sent-fields';
import { tcpResponseFields } from '../../kinds/tcp/shape';
import { tlsResponseFields } from '../../kinds/tls/shape';
import { webSocketResponseFields } from '../../kinds/websocket/shape';
import { withoutBounds } from '../without-bounds';
import { idOf, instant, maybeInstant, pageOf, type ResponseOf } from './parts';
import { recent, requestFields, savedTls, serviceFields, sharedFields } from './resources';

/** Fields of every monitor. */
const monitorFields = {
  id: idOf('monitor'),
  name: sharedFields.name,
  alerts: sharedFields.alerts,
  dependsOn: sharedFields.dependsOn,
  runbookUrl: sharedFields.runbookUrl,
  note: sharedFields.note,
  group: sharedFields.group,
  tags: sharedFields.tags,
  key: sharedFields.key,
  enabled: sharedFields.enabled,
  ...serviceFields,
};

/** Fields of every monitor that is sent. */
const sentFields = {
  ...monitorFields,
  interval: sharedFields.interval,
  regions: sharedFields.regions,
  variables: sharedFields.variables,
  quorum: z.union([z.int(), z.literal('majority')]),
  ...withoutBounds(z.object(monitorRuleShapes)).shape,
};

const certificateFields = {
  tlsExpiresAt: maybeInstant,
  tlsWarning: z.int().nullable().meta({
    description: 'The rung of tls.warnDays that is reached, in days; null: none',
  }),
};

/** A monitor that is sent to its url. */
const httpMonitor = z
  .strictObject({
    type: z.literal('http'),
    ...sentFields,
    ...requestFields,
    ...certificateFields,
  })
  .meta({ id: 'HttpMonitor' });

/** What every kind beside HTTP that is sent has. */
const networkFields = {
  ...sentFields,
  timeoutMs: requestFields.timeoutMs,
  retries: requestFields.retries,
  degradedAboveMs: requestFields.degradedAboveMs,
};

/** A monitor that connects to a port. */
const tcpMonitor = z
  .strictObject({
    type: z.literal('tcp'),
    ...networkFields,
    ...tcpResponseFields,
    tls: savedTls,
    ...certificateFields,
  })
  .meta({ id: 'TcpMonitor' });

/** A monitor whose job reports by itself. */
const heartbeatMonitor = z
  .strictObject({
    type: z.literal('heartbeat'),
    ...monitorFields,
    schedule: z.union([
      z.strictObject({ everySeconds: z.int() }),
      z.strictObject({ cron: z.string(), timeZone: z.string() }),
    ]),
    graceSeconds: z.int(),
    earlySeconds: z.int(),
    maxRunSeconds: z.int().nullable(),
    minRunSeconds: z.int().nullable(),
    failOn: z.array(
      z.union([z.strictObject({ contains: z.string() }), z.strictObject({ matches: z.string() })]),
    ),
    pingUrl: z.string().meta({ description: 'Where the job reports' }),
    lastPingAt: maybeInstant,
    nextDueAt: maybeInstant,
    running: z
      .array(z.strictObject({ runId: z.string(), startedAt: instant }))
      .meta({ description: 'Runs of the job that have begun and not ended' }),
  })
  .meta({ id: 'HeartbeatMonitor' });

/** A monitor that looks at a certificate. */
const tlsMonitor = z
  .strictObject({
    type: z.literal('tls'),
    ...networkFields,
    ...tlsResponseFields,
    tls: savedTls,
    ...certificateFields,
  })
  .meta({ id: 'TlsMonitor' });

/** A monitor that asks name servers. */
const dnsMonitor = z
  .strictObject({ type: z.literal('dns'), ...networkFields, ...dnsResponseFields })
  .meta({ id: 'DnsMonitor' });

/** A monitor that sends ICMP packets. */
const pingMonitor = z
  .strictObject({ type: z.literal('ping'), ...networkFields, ...pingResponseFields })
  .meta({ id: 'PingMonitor' });

/** A monitor that opens a WebSocket. */
const webSocketMonitor = z
  .strictObject({
    type: z.literal('websocket'),
    ...networkFields,
    ...webSocketResponseFields,
    tls: savedTls,
    ...certificateFields,
  })
  .meta({ id: 'WebSocketMonitor' });

/** A monitor that asks the health service of a gRPC server. */
const grpcMonitor = z
  .strictObject({
    type: z.literal('grpc'),
    ...networkFields,
    ...grpcResponseFields,
    tls: savedTls,
    ...certificateFields,
  })
  .meta({ id: 'GrpcMonitor' });

/** A monitor that asks a registry. */
const domainMonitor = z
  .strictObject({
    type: z.literal('domain'),
    ...networkFields,
    ...domainResponseFields,
    domainExpiresAt: maybeInstant,
    domainWarning: z.int().nullable().meta({
      description: 'The number of warnDays that is reached, in days; null: none',
    }),
  })
  .meta({ id: 'DomainMonitor' });

export const monitor = z
  .discriminatedUnion('type', [
    httpMonitor,
    heartbeatMonitor,
    tcpMonitor,
    tlsMonitor,
    dnsMonitor,
    pingMonitor,
    webSocketMonitor,
    grpcMonitor,
    domainMonitor,
  ])
  .meta({
    id: 'Monitor',
    description: 'Its type says which fields it has',
  });

export type MonitorResponse = ResponseOf<typeof monitor>;

export const monitorPage = pageOf(
  z
    .discriminatedUnion('type', [
      httpMonitor.extend({ recent }).meta({ id: 'ListedHttpMonitor' }),
      heartbeatMonitor.extend({ recent }).meta({ id: 'ListedHeartbeatMonitor' }),
      tcpMonitor.extend({ recent }).meta({ id: 'ListedTcpMonitor' }),
      tlsMonitor.extend({ recent }).meta({ id: 'ListedTlsMonitor' }),
      dnsMonitor.extend({ recent }).meta({ id: 'ListedDnsMonitor' }),
      pingMonitor.extend({ recent }).meta({ id: 'ListedPingMonitor' }),
      webSocketMonitor.extend({ recent }).meta({ id: 'ListedWebSocketMonitor' }),
      grpcMonitor.extend({ recent }).meta({ id: 'ListedGrpcMonitor' }),
      domainMonitor.extend({ recent }).meta({ id: 'ListedDomainMonitor' }),
    ])
    .meta({ id: 'ListedMonitor' }),
);
