/** Reads a YAML configuration of Gatus. Each `${NAME}` becomes a declared variable. */
import { z } from 'zod';
import { isRecord } from '../../contracts/json';
import { quoteFields, quoteUrl } from '../../domain/templates/quote-texts';
import { readRecord } from '../../schemas/loose';
import { importGatusAuth } from './auth';
import { gatusClientShape, noteUnusedClient } from './connection/gatus-client';
import { importGatusProxy } from './connection/proxy';
import { importGatusTls, joinTls } from './connection/tls';
import {
  addAlertDefaults,
  alertingShape,
  alertsShape,
  type GatusChannels,
  importAlerting,
  importAlertRule,
} from './gatus-channels';
import { importExpectations, splitDomainConditions } from './gatus-conditions';
import { importKind } from './gatus-kinds';
import {
  createKeyMaker,
  dropEmptyFields,
  type Fields,
  type Imported,
  type ImportNote,
  importConfirmations,
  importSchedule,
  noteFields,
  readTimes,
} from './imported';
import { importBody } from './sent-body';

const text = z.string().nullish();
const bool = z.boolean().nullish();

const endpointShape = z.looseObject({
  name: z.string(),
  group: text,
  url: z.string(),
  method: text,
  interval: text,
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  body: text,
  graphql: bool,
  enabled: bool,
  conditions: z.array(z.string()).nullish(),
  client: gatusClientShape.nullish(),
  dns: z.looseObject({ 'query-name': text, 'query-type': text }).nullish(),
  alerts: alertsShape,
});

const externalShape = z.looseObject({
  name: z.string(),
  group: text,
  enabled: bool,
  heartbeat: z.looseObject({ interval: text }).nullish(),
  alerts: alertsShape,
});

export const gatusShape = z.looseObject({
  endpoints: z.array(endpointShape),
  'external-endpoints': z.array(externalShape).nullish(),
  alerting: alertingShape,
});

type Endpoint = z.output<typeof endpointShape>;

const READ_SECTIONS: readonly string[] = Object.keys(gatusShape.shape);
const READ_FIELDS: readonly string[] = Object.keys(endpointShape.shape);
const READ_CLIENT: readonly string[] = Object.keys(gatusClientShape.shape);

/** The interval that Gatus uses if none is set. */
const DEFAULT_INTERVAL_SECONDS = 60;
const DEFAULT_FAILURES = 3;
const DEFAULT_SUCCESSES = 2;

export function importGatus(config: z.output<typeof gatusShape>): Imported {
  const keyOf = createKeyMaker();
  const notes: ImportNote[] = [];
  for (const section of Object.keys(config).filter((name) => !READ_SECTIONS.includes(name)))
    notes.push({ name: section, message: 'is a section that has no counterpart' });
  const channels = importAlerting(config.alerting, notes);
  const monitors = config.endpoints.flatMap((given) => {
    const name = given.group ? `${given.group} ${given.name}` : given.name;
    const note = (message: string) => notes.push({ name, message });
    const { domain, rest } = splitDomainConditions(given, { note });
    const endpoint = { ...given, conditions: [...rest] };
    const domainMonitors =
      domain === null
        ? []
        : [
            dropEmptyFields(
              importDomainMonitor(given, domain, {
                key: () => keyOf(`${name} domain`),
                note,
                channels,
              }),
            ),
          ];
    if (domain !== null && rest.length === 0) return domainMonitors;
    const kind = importKind(endpoint, { note });
    if (kind === null && !/^(https?:|\$\{)/i.test(endpoint.url)) {
      note(
        `checks ${endpoint.url.split(':')[0] ?? ''}; only HTTP, WebSockets, gRPC, TCP, TLS, DNS and ICMP are checked here`,
      );
      return domainMonitors;
    }
    const surroundings = { key: keyOf(name), note, channels };
    const monitor =
      kind === null
        ? importMonitor(endpoint, surroundings)
        : importKindMonitor(endpoint, kind, surroundings);
    return [dropEmptyFields(monitor), ...domainMonitors];
  });
  const heartbeats = (config['external-endpoints'] ?? []).flatMap((external) => {
    const name = external.group ? `${external.group} ${external.name}` : external.name;
    const note = (message: string) => notes.push({ name, message });
    noteFields(external, strayNames(external, [...Object.keys(externalShape.shape), 'token']), {
      note,
    });
    return importHeartbeat(external, { key: () => keyOf(name), note, channels });
  });
  const { alertChannels } = channels;
  const all = [...monitors, ...heartbeats];
  return {
    alertChannels,
    monitors: all,
    env: namesIn(JSON.stringify([alertChannels, all])),
    notes,
  };
}

/** Converts a domain monitor. The endpoint's interval is left out, because a registry is queried only once a day. */
function importDomainMonitor(
  { name, group, enabled, alerts }: Endpoint,
  domain: Fields,
  { key, note, channels }: Surroundings & { readonly key: () => string },
): Fields {
  const { rule } = importAlerts({ alerts, group }, { note, channels });
  const isEnabled = enabled === false ? false : null;
  return { ...domain, key: key(), name: `${name} domain`, group, enabled: isEnabled, alerts: rule };
}

/** Converts a heartbeat. The token is not copied: the job reports to a new URL. */
function importHeartbeat(
  { name, group, enabled, heartbeat, alerts }: z.output<typeof externalShape>,
  { key, note, channels }: Surroundings & { readonly key: () => string },
): readonly Fields[] {
  const interval = heartbeat?.interval ? parseSeconds(heartbeat.interval, note) : 0;
  if (interval === 0) {
    note('is an external endpoint without heartbeat.interval; a heartbeat needs a schedule');
    return [];
  }
  note('has a new ping URL: let its job report to the pingUrl of the heartbeat');
  const schedule = importSchedule(interval, { note });
  const isEnabled = enabled === false ? false : null;
  const { rule } = importAlerts({ alerts, group }, { note, channels });
  const fields = { name, group, schedule, enabled: isEnabled, alerts: rule };
  return [dropEmptyFields({ type: 'heartbeat', key: key(), ...fields })];
}

interface Surroundings {
  readonly note: (message: string) => void;
  readonly channels: GatusChannels;
}

/** Returns the enabled alerts, and the rule built from them. */
function importAlerts(
  { alerts: given, group }: Pick<Endpoint, 'alerts' | 'group'>,
  { note, channels }: Surroundings,
) {
  const alerts = addAlertDefaults(given, channels);
  const readDuration = (duration: string) => parseSeconds(duration, note);
  const endpoint = { group: group ?? null, note, readSeconds: readDuration };
  return { alerts, rule: importAlertRule(alerts, channels, endpoint) };
}

interface EndpointGiven extends Surroundings {
  readonly key: string;
}

/** Converts an endpoint of a type other than HTTP. */
function importKindMonitor(endpoint: Endpoint, kind: Fields, given: EndpointGiven): Fields {
  const { note } = given;
  for (const field of ['method', 'graphql', 'headers'] as const)
    if (endpoint[field] && !(field in kind)) note(`${field} has no counterpart and is left out`);
  noteUnusedClient(endpoint.client ?? {}, { note });
  const { timeoutMs, ...own } = kind;
  const limitMs = typeof timeoutMs === 'number' ? timeoutMs : null;
  return { ...importScheduled(endpoint, given, limitMs), ...own };
}

/** Converts the fields that all scheduled monitors have. `limitMs` is the timeout that a condition implies. */
function importScheduled(
  endpoint: Endpoint,
  { key, note, channels }: EndpointGiven,
  limitMs: number | null = null,
): Fields {
  const { name, group, interval, client, enabled } = endpoint;
  noteStrays(endpoint, note);
  const timeoutMs = client?.timeout ? parseSeconds(client.timeout, note) * 1_000 : null;
  const intervalSeconds = interval ? parseSeconds(interval, note) : DEFAULT_INTERVAL_SECONDS;
  const { alerts, rule } = importAlerts(endpoint, { note, channels });
  const [alert] = alerts;
  return {
    key,
    name,
    group,
    ...readTimes({ intervalSeconds, timeoutMs: limitMs ?? timeoutMs }, { note }),
    failuresBeforeDown:
      alert === undefined
        ? null
        : importConfirmations(alert['failure-threshold'] ?? DEFAULT_FAILURES, { note }),
    successesBeforeUp:
      alert === undefined
        ? null
        : importConfirmations(alert['success-threshold'] ?? DEFAULT_SUCCESSES, { note }),
    alerts: rule,
    enabled: enabled === false ? false : null,
  };
}

function importMonitor(endpoint: Endpoint, given: EndpointGiven): Fields {
  const { note } = given;
  const { url, method, headers, body, client } = endpoint;
  const isGraphql = endpoint.graphql === true;
  const expected = importExpectations(endpoint, note);
  return {
    ...importScheduled(endpoint, given),
    url: quoteUrl(url),
    method: toMethod(endpoint, note),
    ...importBody({
      method: isGraphql ? 'POST' : (method ?? 'GET'),
      text: isGraphql && body ? JSON.stringify({ query: body }) : body,
      contentType: isGraphql ? 'application/json' : null,
      headers: quoteFields(
        Object.fromEntries(
          Object.entries(headers ?? {}).map(([header, value]) => [header, String(value)]),
        ),
      ),
      note,
    }),
    followRedirects: client?.['ignore-redirect'] === true ? false : null,
    auth: importGatusAuth(client?.oauth2, { ...given, headers: headers ?? {} }),
    ...expected,
    proxy: importGatusProxy(client?.['proxy-url'], given),
    tls: joinTls(importGatusTls(client ?? {}, given), readRecord(expected['tls'])),
  };
}

/** Returns the method, which is POST for GraphQL. null means a GET, because the endpoint names no method. */
function toMethod({ method, graphql }: Endpoint, note: (message: string) => void): string | null {
  if (graphql !== true) return method ?? null;
  if (method?.toUpperCase() !== 'POST')
    note(`sends GraphQL by ${method ?? 'GET'}; imported as POST`);
  return 'POST';
}

function strayNames(fields: Fields, read: readonly string[]): readonly string[] {
  return Object.keys(fields).filter((each) => !read.includes(each));
}

function noteStrays(endpoint: Endpoint, note: (message: string) => void): void {
  noteFields(endpoint, strayNames(endpoint, READ_FIELDS), { note });
  for (const field of strayNames(endpoint.client ?? {}, READ_CLIENT))
    note(`client.${field} has no counterpart`);
}

/** Merges files as Gatus merges the files of a folder: lists are joined, and other fields are merged by name. */
export function mergeGatus(files: readonly unknown[]): unknown {
  return files.reduce((merged, file) => mergedValue(merged, file), undefined);
}

function mergedValue(first: unknown, second: unknown): unknown {
  if (first === undefined || first === null) return second;
  if (second === undefined || second === null) return first;
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
  if (!isRecord(first) || !isRecord(second)) return second;
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return Object.fromEntries(names.map((name) => [name, mergedValue(first[name], second[name])]));
}

/** Converts a duration of Go, like `1m30s`, to seconds. Other texts give the default interval, and a note. */
function parseSeconds(duration: string, note: (message: string) => void): number {
  const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0) {
    note(`${duration} is not a duration; ${DEFAULT_INTERVAL_SECONDS} s is used`);
    return DEFAULT_INTERVAL_SECONDS;
  }
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? 's'] ?? 1),
    0,
  );
}

function namesIn(json: string): readonly string[] {
  const names = [...json.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name]) => name ?? '');
  return [...new Set(names)];
}
