/**
 * Monitors and notifications of a backup of Uptime Kuma (Settings → Backup, JSON). Passwords, tokens and
 * webhook URLs are never taken over.
 */

import { z } from 'zod';
import { cutText } from '../../domain/text/cut-text';
import { jsonOrText } from '../json-or-text';
import { markedNames, withReferences } from './environment-marks';
import {
  COMPARISONS,
  compact,
  confirmationsOf,
  createKeyMaker,
  type Fields,
  type Imported,
  type ImportNote,
  scheduleOf,
  timesOf,
} from './imported';
import {
  type ImportedChannels,
  importNotifications,
  notificationShape,
} from './uptime-kuma-channels';

const flag = z.union([z.boolean(), z.number()]).nullish();
const text = z.string().nullish();
const number = z.number().nullish();

const monitorShape = z.looseObject({
  id: z.number(),
  name: z.string(),
  type: z.string(),
  url: text,
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
  maxredirects: number,
  ignoreTls: flag,
  upsideDown: flag,
  expiryNotification: flag,
  resendInterval: number,
  notificationIDList: z.record(z.string(), flag).nullish(),
  authMethod: text,
  basic_auth_user: text,
  tags: z.array(z.looseObject({ name: z.string(), value: text })).nullish(),
});

export const uptimeKumaShape = z.looseObject({
  version: text,
  monitorList: z.array(monitorShape),
  notificationList: z.array(notificationShape).nullish(),
});

type Backup = z.output<typeof uptimeKumaShape>;
type Monitor = z.output<typeof monitorShape>;

const HTTP_TYPES: readonly string[] = ['http', 'keyword', 'json-query'];
const CLASSES: Readonly<Record<string, string>> = {
  '100-199': '1xx',
  '200-299': '2xx',
  '300-399': '3xx',
  '400-499': '4xx',
  '500-599': '5xx',
};

type Note = (message: string) => void;

export function importUptimeKuma(backup: Backup): Imported {
  const keyOf = createKeyMaker();
  const notes: ImportNote[] = [];
  const byId = new Map(backup.monitorList.map((monitor) => [monitor.id, monitor]));
  const channels = importNotifications(backup.notificationList ?? [], notes);
  const monitors = backup.monitorList.flatMap((monitor) => {
    const note: Note = (message) => notes.push({ name: monitor.name, message });
    if (monitor.type === 'group') return [];
    const isPushed = monitor.type === 'push';
    if (!isPushed && !HTTP_TYPES.includes(monitor.type)) {
      note(`is of type ${monitor.type}; only HTTP and push are taken over`);
      return [];
    }
    const fields = (isPushed ? heartbeatOf : monitorOf)(monitor, {
      key: keyOf(monitor.name),
      note,
    });
    const alerts = alertsOf(monitor, channels, note);
    return [compact({ ...fields, group: groupOf(monitor, byId), alerts })];
  });
  const definitions = { alertChannels: channels.alertChannels, monitors };
  const names = markedNames(definitions);
  return { ...withReferences(definitions, names), env: [...names], notes };
}

const REMINDER_MIN_MINUTES = 5;
const REMINDER_MAX_MINUTES = 10_080;

/** Whoever is notified there. Where none of them has a counterpart, the default channels are. */
function alertsOf(
  { notificationIDList: given, resendInterval, interval }: Monitor,
  { keys }: ImportedChannels,
  note: Note,
): Fields {
  const ids = Object.entries(given ?? {}).flatMap(([id, on]) => (isOn(on) ? [id] : []));
  const known = ids.flatMap((id) => keys.get(id) ?? []);
  if (ids.length > 0 && known.length === 0)
    note('is notified of by nothing that is taken over; the default channels get its alerts');
  // Whoever has notifications and links none of them wants none.
  const isQuiet = given !== undefined && given !== null && ids.length === 0 && keys.size > 0;
  const minutes = Math.round(((resendInterval ?? 0) * (interval ?? 60)) / 60);
  const bounded = Math.min(REMINDER_MAX_MINUTES, Math.max(REMINDER_MIN_MINUTES, minutes));
  if ((resendInterval ?? 0) > 0 && bounded !== minutes)
    note(`is reminded of every ${minutes} min, which became ${bounded} min, our bound`);
  return {
    ...((isQuiet || known.length > 0) && { channels: known }),
    ...((resendInterval ?? 0) > 0 && { remindEveryMinutes: bounded }),
  };
}

function monitorOf(
  monitor: Monitor,
  { key, note }: { readonly key: string; readonly note: Note },
): Fields {
  const { name, url, interval, timeout, maxretries, body, maxredirects, tags } = monitor;
  if (isOn(monitor.ignoreTls)) note('ignores certificates; here they are always checked');
  if (isOn(monitor.upsideDown)) note('is upside down; that has no counterpart');
  const timeoutMs = typeof timeout === 'number' && timeout > 0 ? timeout * 1_000 : null;
  return {
    key,
    name,
    url: url ?? '',
    method: monitor.method ?? 'GET',
    ...timesOf({ intervalSeconds: interval ?? 60, timeoutMs }, { note }),
    failuresBeforeDown: confirmationsOf((maxretries ?? 0) + 1, { note }),
    headers: headersOf(monitor, key, note),
    body: body ? jsonOrText(body) : null,
    followRedirects: maxredirects === 0 ? false : null,
    assertions: [...statusOf(monitor, note), ...contentOf(monitor, note)],
    tls: expiryOf(monitor),
    tags: tagsOf(tags),
    enabled: enabledOf(monitor),
  };
}

/** Its token is not taken over: the job reports to an address of ours. */
function heartbeatOf(
  monitor: Monitor,
  { key, note }: { readonly key: string; readonly note: Note },
): Fields {
  const { name, interval, maxretries, retryInterval, tags } = monitor;
  const everySeconds = interval ?? 60;
  const graceSeconds = (maxretries ?? 0) * (retryInterval ?? everySeconds);
  if (isOn(monitor.upsideDown)) note('is upside down; that has no counterpart');
  note('is pushed to: let its job report to the pingUrl of the heartbeat');
  return {
    type: 'heartbeat',
    key,
    name,
    schedule: scheduleOf(everySeconds, { note }),
    graceSeconds,
    tags: tagsOf(tags),
    enabled: enabledOf(monitor),
  };
}

function tagsOf(tags: Monitor['tags']): readonly string[] {
  return (tags ?? []).map((tag) => (tag.value ? `${tag.name}:${tag.value}` : tag.name));
}

/** null: as by default. */
function enabledOf({ active }: Monitor): false | null {
  return active === undefined || isOn(active) ? null : false;
}

function isOn(value: boolean | number | null | undefined): boolean {
  return value === true || value === 1;
}

function headersOf(monitor: Monitor, key: string, note: Note): Fields {
  const parsed = monitor.headers ? jsonOrText(monitor.headers) : {};
  const shape = z.record(z.string(), z.union([z.string(), z.number()]));
  const given = shape.safeParse(parsed);
  if (!given.success) note('has headers that are not a JSON object; they are left out');
  const headers = Object.entries(given.data ?? {}).map(([name, value]) => [name, String(value)]);
  const isBasic = monitor.authMethod === 'basic' || Boolean(monitor.basic_auth_user);
  if (monitor.authMethod && !['basic', 'null'].includes(monitor.authMethod))
    note(`signs in by ${monitor.authMethod}; that has no counterpart`);
  if (!isBasic) return Object.fromEntries(headers);
  const secret = `${key.replaceAll(/[^a-z0-9]/g, '_').toUpperCase()}_BASIC_AUTH`;
  note(`signs in with a password: set the secret ${secret} to base64 of user:password`);
  return { ...Object.fromEntries(headers), Authorization: `Basic {{secret:${secret}}}` };
}

/** 200–299 is what is expected anyway. */
function statusOf({ accepted_statuscodes }: Monitor, note: Note): readonly Fields[] {
  const given = accepted_statuscodes ?? ['200-299'];
  if (given.length === 1 && given[0] === '200-299') return [];
  const values = given.map(
    (range) => CLASSES[range] ?? (/^\d{3}$/.test(range) ? Number(range) : null),
  );
  const known = values.filter((value) => value !== null);
  if (known.length < given.length)
    note(`accepts status codes ${given.join(', ')}; ranges other than whole classes are left out`);
  return known.length === 0 ? [] : [{ type: 'status', operator: 'in', value: known }];
}

function contentOf(monitor: Monitor, note: Note): readonly Fields[] {
  const { type, keyword, invertKeyword, jsonPath, expectedValue, jsonPathOperator } = monitor;
  if (type === 'keyword' && keyword)
    return [
      { type: 'body', operator: isOn(invertKeyword) ? 'notContains' : 'contains', value: keyword },
    ];
  if (type !== 'json-query' || !jsonPath) return [];
  const isPlainPath = /^\$?[A-Za-z0-9_.[\]'"*]*$/.test(jsonPath);
  if (!isPlainPath) {
    note(`asks by JSONata ${jsonPath}; write a JSON path for it`);
    return [];
  }
  const path = jsonPath.startsWith('$') ? jsonPath : `$.${jsonPath}`;
  const operator =
    jsonPathOperator === 'contains'
      ? 'contains'
      : (COMPARISONS[jsonPathOperator ?? '=='] ?? 'equals');
  const isNumeric = operator.includes('Than');
  const value = isNumeric ? Number(expectedValue) : (expectedValue ?? '');
  return [{ type: 'jsonPath', path, operator, value }];
}

/** The days that Uptime Kuma notifies at unless its settings, which no export holds, say otherwise. */
const EXPIRY_DAYS = [21, 14, 7];

function expiryOf({ expiryNotification, url }: Monitor): Fields | null {
  if (!url?.startsWith('https:')) return null;
  return { warnDays: isOn(expiryNotification) ? EXPIRY_DAYS : [] };
}

/** Names of the groups around it. */
function groupOf(monitor: Monitor, byId: ReadonlyMap<number, Monitor>): string | null {
  const names: string[] = [];
  const seen = new Set<number>();
  for (let at = parentOf(monitor, byId); at !== undefined; at = parentOf(at, byId)) {
    if (seen.has(at.id)) break;
    seen.add(at.id);
    names.unshift(at.name.replaceAll('/', ' '));
  }
  return names.length === 0 ? null : cutText(names.join('/'), 100);
}

function parentOf({ parent }: Monitor, byId: ReadonlyMap<number, Monitor>): Monitor | undefined {
  return typeof parent === 'number' ? byId.get(parent) : undefined;
}
