/**
 * Imports monitors and notifications from a backup of Uptime Kuma (Settings → Backup, JSON), without passwords, tokens
 * and webhook URLs.
 */
import { quoteUrl } from '../../domain/templates/quote-texts';
import { cutText } from '../../domain/text/cut-text';
import { formatAuthority } from '../../kinds/words';
import { importKumaProxy, type KumaProxies, readIpFamily } from './connection/proxy';
import { importKumaTls, joinTls } from './connection/tls';
import { listPlaceholders, withReferences } from './environment-placeholders';
import {
  createKeyMaker,
  describeBound,
  dropEmptyFields,
  type Fields,
  type Imported,
  type ImportNote,
  importConfirmations,
  importDescription,
  importSchedule,
  readTimes,
} from './imported';
import { type ImportedChannels, importNotifications } from './uptime-kuma-channels';
import {
  importContent,
  importRedirects,
  importRequest,
  importStatusCodes,
  type Note,
} from './uptime-kuma-requests';
import { type Backup, isOn, type Monitor, noteUnknownFields } from './uptime-kuma-shape';

const HTTP_TYPES: readonly string[] = ['http', 'keyword', 'json-query'];

export function importUptimeKuma(backup: Backup): Imported {
  const keyOf = createKeyMaker();
  const notes: ImportNote[] = [];
  const byId = new Map(backup.monitorList.map((monitor) => [monitor.id, monitor]));
  const channels = importNotifications(backup.notificationList ?? [], notes);
  const monitors = backup.monitorList.flatMap((monitor) => {
    const note: Note = (message) => notes.push({ name: monitor.name, message });
    if (monitor.type === 'group') return [];
    const convert = HTTP_TYPES.includes(monitor.type)
      ? importMonitor
      : CONVERTERS.get(monitor.type);
    if (convert === undefined) {
      note(
        `is of type ${monitor.type}; only HTTP, TCP ports, DNS, ping, WebSockets, gRPC and push are imported`,
      );
      return [];
    }
    noteUnknownFields(monitor, { note });
    if (monitor.proxyId && convert !== importMonitor)
      note('goes through a proxy; checks of this type connect directly');
    const proxies = backup.proxyList;
    const fields = convert(monitor, { key: keyOf(monitor.name, monitor.id), note, proxies });
    if (fields === null) return [];
    const alerts = importAlerts(monitor, channels, note);
    const described = importDescription(monitor.description);
    return [
      dropEmptyFields({ ...fields, ...described, group: importGroup(monitor, byId), alerts }),
    ];
  });
  const definitions = { alertChannels: channels.alertChannels, monitors };
  const names = listPlaceholders(definitions);
  return { ...withReferences(definitions, names), env: [...names], notes };
}

const REMINDER_MIN_MINUTES = 5;
const REMINDER_MAX_MINUTES = 10_080;

/** Converts the recipients. If none can be imported, the default channels are notified. */
function importAlerts(
  { notificationIDList: given, resendInterval, interval }: Monitor,
  { keys }: ImportedChannels,
  note: Note,
): Fields {
  const ids = Object.entries(given ?? {}).flatMap(([id, on]) => (isOn(on) ? [id] : []));
  const known = ids.flatMap((id) => keys.get(id) ?? []);
  if (ids.length > 0 && known.length === 0)
    note('has no imported channel; the default channels get its alerts');
  // True if notifications exist but none is linked to the monitor, so the monitor notifies no one.
  const isQuiet = given !== undefined && given !== null && ids.length === 0 && keys.size > 0;
  const minutes = Math.round(((resendInterval ?? 0) * (interval ?? 60)) / 60);
  const bounded = Math.min(REMINDER_MAX_MINUTES, Math.max(REMINDER_MIN_MINUTES, minutes));
  if ((resendInterval ?? 0) > 0 && bounded !== minutes)
    note(`reminder every ${minutes} min ${describeBound(minutes, bounded, ' min')}`);
  return {
    ...((isQuiet || known.length > 0) && { channels: known }),
    ...((resendInterval ?? 0) > 0 && { remindEveryMinutes: bounded }),
  };
}

interface Surroundings {
  readonly key: string;
  readonly note: Note;
  readonly proxies: KumaProxies;
}

/** Converts the fields of every monitor that sends requests. */
function importScheduled(monitor: Monitor, { key, note }: Surroundings): Fields {
  const { name, interval, timeout, maxretries, retryInterval, tags } = monitor;
  if (isOn(monitor.upsideDown))
    note('is upside down, which has no counterpart; imported as paused');
  if ((maxretries ?? 0) > 0 && retryInterval && retryInterval !== (interval ?? 60))
    note(`tries again after ${retryInterval} s; here retries follow the interval of the check`);
  const timeoutMs = typeof timeout === 'number' && timeout > 0 ? timeout * 1_000 : null;
  return {
    key,
    name,
    ...readTimes({ intervalSeconds: interval ?? 60, timeoutMs }, { note }),
    failuresBeforeDown: importConfirmations((maxretries ?? 0) + 1, { note }),
    tags: importTags(tags),
    enabled: isOn(monitor.upsideDown) ? false : importEnabled(monitor),
  };
}

function importPort(monitor: Monitor, surroundings: Surroundings): Fields {
  const { hostname, port } = monitor;
  return { type: 'tcp', ...importScheduled(monitor, surroundings), host: hostname, port };
}

/** Converts a DNS monitor. Its port is the port of the name server. */
function importDns(monitor: Monitor, surroundings: Surroundings): Fields {
  const { hostname, port, dns_resolve_server: server, dns_resolve_type: record } = monitor;
  const servers = (server ?? '').split(',').flatMap((one) => one.trim() || []);
  const isUsual = typeof port !== 'number' || port === 53;
  return {
    type: 'dns',
    ...importScheduled(monitor, surroundings),
    host: hostname,
    record: record ?? 'A',
    servers: servers.map((one) => (isUsual ? one : formatAuthority(one, port))),
    agree: servers.length > 1 ? 'any' : null,
  };
}

function importPing(monitor: Monitor, surroundings: Surroundings): Fields {
  const { hostname, ping_count: count } = monitor;
  const counted = typeof count === 'number' ? Math.min(10, Math.max(1, count)) : null;
  return {
    type: 'ping',
    ...importScheduled(monitor, surroundings),
    host: hostname,
    count: counted,
  };
}

/**
 * Converts a WebSocket monitor. In Uptime Kuma, the check passes once the upgrade succeeds. Our check does the same if
 * it has no expectation.
 */
function importWebSocket(monitor: Monitor, surroundings: Surroundings): Fields {
  const { url, wsSubprotocol } = monitor;
  const [subprotocol, ...others] = (wsSubprotocol ?? '')
    .split(',')
    .flatMap((one) => one.trim() || []);
  if (others.length > 0)
    surroundings.note('asks for several subprotocols; only the first is imported');
  return { type: 'websocket', ...importScheduled(monitor, surroundings), url, subprotocol };
}

/** Converts a gRPC monitor. Returns null if it calls anything except the health service. */
function importGrpc(monitor: Monitor, surroundings: Surroundings): Fields | null {
  const { grpcUrl, grpcServiceName, grpcMethod, grpcBody, grpcEnableTls, invertKeyword } = monitor;
  const called = `${grpcServiceName ?? ''}/${grpcMethod ?? ''}`;
  if (!/(?:^|\.)health\/check$/i.test(called) || isOn(invertKeyword)) {
    surroundings.note(`calls ${called}; here gRPC checks only ask for the health`);
    return null;
  }
  const [, service] = /"service"\s*:\s*"([^"\\]+)"/.exec(grpcBody ?? '') ?? [];
  const target = `grpc://${grpcUrl ?? ''}`;
  const { hostname, port } = new URL(URL.canParse(target) ? target : 'grpc://');
  return {
    type: 'grpc',
    ...importScheduled(monitor, surroundings),
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    useTls: isOn(grpcEnableTls) ? true : null,
    service,
  };
}

function importMonitor(monitor: Monitor, surroundings: Surroundings): Fields {
  const { key, note, proxies } = surroundings;
  const { url, maxredirects, proxyId } = monitor;
  return {
    ...importScheduled(monitor, surroundings),
    url: quoteUrl(url ?? ''),
    method: monitor.method ?? 'GET',
    ...importRequest(monitor, key, note),
    ...importRedirects(maxredirects, note),
    assertions: [...importStatusCodes(monitor, note), ...importContent(monitor, note)],
    proxy: importKumaProxy(proxyId, proxies, { note }),
    ipFamily: readIpFamily(monitor.ipFamily),
    tls: joinTls(importKumaTls(monitor, surroundings), importExpiry(monitor)),
  };
}

/** Converts a heartbeat. The token is not copied, because the job reports to a new URL. */
function importHeartbeat(monitor: Monitor, { key, note }: Surroundings): Fields {
  const { name, interval, maxretries, retryInterval, tags } = monitor;
  const everySeconds = interval ?? 60;
  const graceSeconds = (maxretries ?? 0) * (retryInterval ?? everySeconds);
  if (isOn(monitor.upsideDown)) note('is upside down, which has no counterpart');
  note('has a new ping URL: let its job report to the pingUrl of the heartbeat');
  return {
    type: 'heartbeat',
    key,
    name,
    schedule: importSchedule(everySeconds, { note }),
    graceSeconds,
    tags: importTags(tags),
    enabled: importEnabled(monitor),
  };
}

/** The converters by Uptime Kuma's monitor type, except the HTTP types. */
const CONVERTERS: ReadonlyMap<string, (monitor: Monitor, given: Surroundings) => Fields | null> =
  new Map<string, (monitor: Monitor, given: Surroundings) => Fields | null>([
    ['push', importHeartbeat],
    ['port', importPort],
    ['dns', importDns],
    ['ping', importPing],
    ['websocket-upgrade', importWebSocket],
    ['grpc-keyword', importGrpc],
  ]);

function importTags(tags: Monitor['tags']): readonly string[] {
  return (tags ?? []).map((tag) => (tag.value ? `${tag.name}:${tag.value}` : tag.name));
}

/** Returns false for a disabled monitor, and null for the default. */
function importEnabled({ active }: Monitor): false | null {
  return active === undefined || isOn(active) ? null : false;
}

/**
 * Uptime Kuma's default thresholds for certificate warnings, in days. Exports do not contain the settings that may
 * override them.
 */
const EXPIRY_DAYS = [21, 14, 7];

function importExpiry({ expiryNotification, url }: Monitor): Fields | null {
  if (!url?.startsWith('https:')) return null;
  return { warnDays: isOn(expiryNotification) ? EXPIRY_DAYS : [] };
}

function importGroup(monitor: Monitor, byId: ReadonlyMap<number, Monitor>): string | null {
  const names: string[] = [];
  const seen = new Set<number>();
  for (let at = findParent(monitor, byId); at !== undefined; at = findParent(at, byId)) {
    if (seen.has(at.id)) break;
    seen.add(at.id);
    names.unshift(at.name.replaceAll('/', ' '));
  }
  return names.length === 0 ? null : cutText(names.join('/'), 100);
}

function findParent({ parent }: Monitor, byId: ReadonlyMap<number, Monitor>): Monitor | undefined {
  return typeof parent === 'number' ? byId.get(parent) : undefined;
}
