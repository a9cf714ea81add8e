/** A configuration of Gatus (YAML). `${NAME}` in it becomes a declared variable. */
import { z } from 'zod';
import { jsonOrText } from '../json-or-text';
import {
  alertingShape,
  alertRuleOf,
  alertsShape,
  alertsWithDefaults,
  type GatusChannels,
  importAlerting,
} from './gatus-channels';
import { assertionOfCondition } from './gatus-conditions';
import {
  compact,
  confirmationsOf,
  createKeyMaker,
  type Fields,
  type Imported,
  type ImportNote,
  scheduleOf,
  timesOf,
} from './imported';

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
  client: z.looseObject({ timeout: text, insecure: bool, 'ignore-redirect': bool }).nullish(),
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

const READ_SECTIONS: readonly string[] = [
  'endpoints',
  'external-endpoints',
  'alerting',
  'storage',
  'ui',
  'web',
  'metrics',
];
const READ_FIELDS: readonly string[] = [...Object.keys(endpointShape.shape), 'ui'];
const READ_CLIENT: readonly string[] = ['timeout', 'insecure', 'ignore-redirect'];

/** What Gatus itself takes where nothing is said. */
const DEFAULT_INTERVAL_SECONDS = 60;
const DEFAULT_FAILURES = 3;
const DEFAULT_SUCCESSES = 2;

export function importGatus(config: z.output<typeof gatusShape>): Imported {
  const keyOf = createKeyMaker();
  const notes: ImportNote[] = [];
  for (const section of Object.keys(config).filter((name) => !READ_SECTIONS.includes(name)))
    notes.push({ name: section, message: 'is a section that has no counterpart' });
  const channels = importAlerting(config.alerting, notes);
  const monitors = config.endpoints.flatMap((endpoint) => {
    const name = endpoint.group ? `${endpoint.group} ${endpoint.name}` : endpoint.name;
    const note = (message: string) => notes.push({ name, message });
    if (!/^(https?:|\$\{)/i.test(endpoint.url)) {
      note(`checks ${endpoint.url.split(':')[0] ?? ''}; only HTTP is checked here`);
      return [];
    }
    return [compact(monitorOf(endpoint, { key: keyOf(name), note, channels }))];
  });
  const heartbeats = (config['external-endpoints'] ?? []).flatMap((external) => {
    const name = external.group ? `${external.group} ${external.name}` : external.name;
    const note = (message: string) => notes.push({ name, message });
    return heartbeatOf(external, { key: () => keyOf(name), note, channels });
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

/** Its token is not taken over: the job reports to an address of ours. */
function heartbeatOf(
  { name, group, enabled, heartbeat, alerts }: z.output<typeof externalShape>,
  { key, note, channels }: Surroundings & { readonly key: () => string },
): readonly Fields[] {
  const interval = heartbeat?.interval ? secondsOf(heartbeat.interval, note) : 0;
  if (interval === 0) {
    note('is an external endpoint without heartbeat.interval; a heartbeat needs a schedule');
    return [];
  }
  note('is pushed to: let its job report to the pingUrl of the heartbeat');
  const schedule = scheduleOf(interval, { note });
  const isEnabled = enabled === false ? false : null;
  const { rule } = alertsOf({ alerts, group }, { note, channels });
  const fields = { name, group, schedule, enabled: isEnabled, alerts: rule };
  return [compact({ type: 'heartbeat', key: key(), ...fields })];
}

interface Surroundings {
  readonly note: (message: string) => void;
  readonly channels: GatusChannels;
}

/** Those that are on, and the rule that they come to. */
function alertsOf(
  { alerts: given, group }: Pick<Endpoint, 'alerts' | 'group'>,
  { note, channels }: Surroundings,
) {
  const alerts = alertsWithDefaults(given, channels);
  const readDuration = (duration: string) => secondsOf(duration, note);
  const endpoint = { group: group ?? null, note, secondsOf: readDuration };
  return { alerts, rule: alertRuleOf(alerts, channels, endpoint) };
}

function monitorOf(
  endpoint: Endpoint,
  { key, note, channels }: Surroundings & { readonly key: string },
): Fields {
  const { name, group, url, method, interval, headers, body, client, enabled } = endpoint;
  noteStrays(endpoint, note);
  const timeoutMs = client?.timeout ? secondsOf(client.timeout, note) * 1_000 : null;
  const intervalSeconds = interval ? secondsOf(interval, note) : DEFAULT_INTERVAL_SECONDS;
  const { alerts, rule } = alertsOf(endpoint, { note, channels });
  const [alert] = alerts;
  return {
    key,
    name,
    group,
    url,
    method: method ?? (endpoint.graphql === true ? 'POST' : null),
    ...timesOf({ intervalSeconds, timeoutMs }, { note }),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([header, value]) => [header, String(value)]),
    ),
    body: bodyOf(endpoint.graphql === true, body ?? null),
    followRedirects: client?.['ignore-redirect'] === true ? false : null,
    failuresBeforeDown:
      alert === undefined
        ? null
        : confirmationsOf(alert['failure-threshold'] ?? DEFAULT_FAILURES, { note }),
    successesBeforeUp:
      alert === undefined
        ? null
        : confirmationsOf(alert['success-threshold'] ?? DEFAULT_SUCCESSES, { note }),
    ...expectationsOf(endpoint, note),
    alerts: rule,
    enabled: enabled === false ? false : null,
  };
}

/** A condition on the certificate becomes its warning: it is no failure that it expires some day. */
function expectationsOf({ conditions }: Endpoint, note: (message: string) => void): Fields {
  const assertions = (conditions ?? []).flatMap((condition) => {
    const assertion = assertionOfCondition(condition);
    if (assertion === null) note(`condition ${condition} has no counterpart`);
    return assertion === null ? [] : [assertion];
  });
  const days = assertions.flatMap(warnDaysOf);
  return {
    assertions: assertions.filter((assertion) => warnDaysOf(assertion).length === 0),
    tls: days.length === 0 ? null : { warnDays: [...new Set(days)] },
  };
}

function warnDaysOf({ type, name, operator, value }: Fields): readonly number[] {
  const isExpiry =
    type === 'tls' && name === 'daysUntilExpiry' && String(operator).startsWith('greater');
  const days = Math.min(365, Math.max(1, Number(value)));
  return isExpiry && Number.isInteger(days) ? [days] : [];
}

function noteStrays(endpoint: Endpoint, note: (message: string) => void): void {
  for (const field of Object.keys(endpoint).filter((each) => !READ_FIELDS.includes(each)))
    note(`${field} has no counterpart`);
  for (const field of Object.keys(endpoint.client ?? {}).filter(
    (each) => !READ_CLIENT.includes(each),
  ))
    note(`client.${field} has no counterpart`);
  if (endpoint.client?.insecure === true)
    note('client.insecure ignores certificates; here they are always checked');
}

function bodyOf(isGraphql: boolean, body: string | null): unknown {
  if (body === null) return null;
  return isGraphql ? { query: body } : jsonOrText(body);
}

/** Durations of Go, like `1m30s`. */
function secondsOf(duration: string, note: (message: string) => void): number {
  const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0) {
    note(`${duration} is not a duration; ${DEFAULT_INTERVAL_SECONDS} s are taken`);
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
