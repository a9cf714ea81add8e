/** The shape of an Uptime Kuma backup, and the fields that affect a check. */
import { z } from 'zod';
import { kumaProxies } from './connection/proxy';
import { type NoteTaker, noteFields } from './imported';
import { notificationShape } from './uptime-kuma-channels';

const flag = z.union([z.boolean(), z.number()]).nullish();
const text = z.string().nullish();
const number = z.number().nullish();

const monitorShape = z.looseObject({
  id: z.number(),
  name: z.string(),
  type: z.string(),
  description: text,
  url: text,
  hostname: text,
  port: number,
  ping_count: number,
  wsSubprotocol: text,
  grpcUrl: text,
  grpcServiceName: text,
  grpcMethod: text,
  grpcBody: text,
  grpcEnableTls: flag,
  dns_resolve_server: text,
  dns_resolve_type: text,
  method: text,
  interval: number,
  timeout: number,
  maxretries: number,
  retryInterval: number,
  active: flag,
  parent: number,
  keyword: text,
  invertKeyword: flag,
  jsonPath: text,
  jsonPathOperator: text,
  expectedValue: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  accepted_statuscodes: z.array(z.string()).nullish(),
  headers: text,
  body: text,
  httpBodyEncoding: text,
  maxredirects: number,
  ignoreTls: flag,
  upsideDown: flag,
  expiryNotification: flag,
  resendInterval: number,
  notificationIDList: z.record(z.string(), flag).nullish(),
  authMethod: text,
  proxyId: number,
  ipFamily: text,
  tlsCa: text,
  tlsCert: text,
  tlsKey: text,
  basic_auth_user: text,
  oauth_auth_method: text,
  oauth_token_url: text,
  oauth_client_id: text,
  oauth_scopes: text,
  oauth_audience: text,
  tags: z.array(z.looseObject({ name: z.string(), value: text })).nullish(),
});

/** Fields without effect on the check. They are left out without a note. */
const SILENT_FIELDS: readonly string[] = [
  'path',
  'pathName',
  'childrenIDs',
  'user_id',
  'weight',
  'forceInactive',
  'maintenance',
  'screenshot',
  'saveResponse',
  'saveErrorResponse',
  'responseMaxLength',
  'includeSensitiveData',
  'basic_auth_pass',
  'oauth_client_secret',
  'pushToken',
  'authWorkstation',
  'authDomain',
];
/** Fields of monitor types that are not imported. */
const OF_OTHER_TYPES =
  /^(?:packetSize|remote_browser|subtype|location|protocol|manual_status|system_service_name|expectedTlsAlert|(?:dns|docker|mqtt|database|grpc|radius|game|kafka|snmp|smtp|rabbitmq|ping|ws)[A-Za-z_]*)$/;
export const uptimeKumaShape = z.looseObject({
  version: text,
  monitorList: z.array(monitorShape),
  proxyList: kumaProxies,
  notificationList: z.array(notificationShape).nullish(),
});

export type Backup = z.output<typeof uptimeKumaShape>;
export type Monitor = z.output<typeof monitorShape>;

export function isOn(value: boolean | number | null | undefined): boolean {
  return value === true || value === 1;
}

/** Writes a note about every field that has a value but cannot be imported. */
export function noteUnknownFields(monitor: Monitor, { note }: NoteTaker): void {
  const names = Object.keys(monitor).filter(
    (name) =>
      !(name in monitorShape.shape) && !SILENT_FIELDS.includes(name) && !OF_OTHER_TYPES.test(name),
  );
  noteFields(monitor, names, { note });
}
