/**
 * Checks imported objects against the schemas of `apply`. Leaves out parts that are refused. If an object is useless
 * without such a part, leaves out the whole object. Notes explain why.
 */
import { isRecord } from '../../contracts/json';
import { isBadPort } from '../../domain/definitions/bad-ports';
import { cutText } from '../../domain/text/cut-text';
import { alertChannelBody } from '../../schemas/alerts';
import { formatPath, type ShapeProblem, validate } from '../../schemas/issues';
import { maintenanceWindowBody } from '../../schemas/maintenance';
import { monitorBody } from '../../schemas/monitor';
import { scenarioBody } from '../../schemas/scenario';
import { statusPageEntry } from '../../schemas/status-pages/status-page';
import { dropEmptyFields, type Fields, type Imported, type ImportNote } from './imported';

const NAME_MAX = 200;
const TAGS_MAX = 20;
const OBJECTS_MAX = 2_000;
/**
 * The code of problems with ports. These problems are always reported, because the file contains the port even if other
 * parts of the URL are variables.
 */
const BLOCKED = 'blocked_target';
/** The text that replaces an environment variable while a body is checked. */
const SAMPLE = 'https://env.example';

type Find = (body: Fields) => readonly ShapeProblem[];

const problemsIn =
  (checked: Parameters<typeof validate>[0]): Find =>
  (body) => {
    const validated = validate(checked, body);
    return validated.ok ? [] : validated.problems;
  };

/**
 * Functions that find the problems of each kind of object. Files name channels by key, but the schemas expect ids, so
 * `withIds` replaces the keys.
 */
const FINDERS = {
  alertChannels: problemsIn(alertChannelBody),
  maintenanceWindows: problemsIn(maintenanceWindowBody),
  statusPages: problemsIn(statusPageEntry),
  monitors: (body: Fields) => [
    ...problemsIn(monitorBody)(withIds(body)),
    ...portProblems(body, []),
  ],
  scenarios: (body: Fields) => [
    ...problemsIn(scenarioBody)(withIds(body)),
    ...readSteps(body).flatMap((step, index) => portProblems(step, ['steps', index])),
  ],
} satisfies Record<string, Find>;

export function checkImported(imported: Imported): Imported {
  const notes: ImportNote[] = [];
  const defaults = new Map(
    imported.env.map((entry) =>
      typeof entry === 'string' ? [entry, SAMPLE] : [entry.name, entry.default],
    ),
  );
  const soundOf = (list: keyof typeof FINDERS): readonly Fields[] =>
    (imported[list] ?? []).flatMap((given) => {
      const note = (message: string) => notes.push({ name: readName(given), message });
      const find: Find = (body) => judged(FINDERS[list], body, defaults);
      const sound = repaired(find, given, note);
      return sound === null ? [] : [sound];
    });
  const noteTarget = (given: Fields) => {
    for (const host of privateHosts(given))
      notes.push({ name: readName(given), message: `leads to ${host}, ${PRIVATE}` });
  };
  const alertChannels = soundOf('alertChannels');
  const keys = new Set(alertChannels.map(({ key }) => key));
  const gone = new Set(
    (imported.alertChannels ?? []).map(({ key }) => key).filter((key) => !keys.has(key)),
  );
  const withKept = (fields: Fields): Fields => withoutGone(fields, gone, notes);
  const monitors = soundOf('monitors').map(withKept);
  const scenarios = soundOf('scenarios').map(withKept);
  const maintenanceWindows = soundOf('maintenanceWindows');
  const statusPages = soundOf('statusPages');
  for (const given of [...monitors, ...scenarios]) noteTarget(given);
  const lists = { alertChannels, maintenanceWindows, monitors, scenarios, statusPages };
  const count = Object.values(lists).reduce((sum, { length }) => sum + length, 0);
  if (count > OBJECTS_MAX)
    notes.push({
      name: '',
      message: `has ${count} objects; apply accepts ${OBJECTS_MAX} at a time, so split the file`,
    });
  const written = JSON.stringify(lists);
  return {
    ...imported,
    ...lists,
    // Variables that are no longer used are not declared, so users need not set them.
    env: imported.env.filter((entry) => written.includes(`\${${variableName(entry)}}`)),
    notes: [...imported.notes, ...notes],
  };
}

/**
 * Returns the problems of values that the file itself contains. Values from the environment are checked later by
 * `apply`.
 */
function judged(find: Find, body: Fields, samples: ReadonlyMap<string, string>) {
  const open: string[] = [];
  const filled = filledIn(body, samples, { path: [], open });
  const isKnown = ({ path, code }: ShapeProblem) => !open.includes(path) || code === BLOCKED;
  return isRecord(filled) ? find(filled).filter(isKnown) : [];
}

function filledIn(
  value: unknown,
  samples: ReadonlyMap<string, string>,
  { path, open }: { readonly path: readonly PropertyKey[]; readonly open: string[] },
): unknown {
  if (typeof value === 'string') {
    const filled = value.replaceAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) =>
      samples.has(name) ? SAMPLE : whole,
    );
    if (filled !== value) open.push(formatPath(path));
    return filled;
  }
  // JSON has no infinite numbers and no NaN.
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      filledIn(item, samples, { path: [...path, index], open }),
    );
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      filledIn(inner, samples, { path: [...path, name], open }),
    ]),
  );
}

/**
 * Removes invalid parts, at least one in each round, until the object is valid. Returns null if no part can be kept.
 */
function repaired(find: Find, given: Fields, note: (message: string) => void): Fields | null {
  let fields = given;
  for (;;) {
    const problems = find(fields);
    if (problems.length === 0) return fields;
    const next = problems.reduce<Fields | null>(
      (found, problem) => found ?? withoutPart(fields, problem, note),
      null,
    );
    if (next === null) {
      for (const { path, message } of problems) note(`is left out: ${path} ${message}`.trim());
      return null;
    }
    fields = next;
  }
}

/** Returns the object without the invalid part. null means that the object is useless without it. */
function withoutPart(
  fields: Fields,
  { path, message }: ShapeProblem,
  note: (message: string) => void,
): Fields | null {
  const [, index] = /^steps\[(\d+)\]/.exec(path) ?? [];
  const steps = readSteps(fields);
  const step = index === undefined ? undefined : steps[Number(index)];
  if (step !== undefined) {
    const inner = path.slice(`steps[${index}].`.length);
    const problem = { path: inner, code: '', message };
    const say = (text: string) => note(`${readName(step)}: ${text}`);
    const kept = withoutPart(step, problem, say);
    if (kept === null) say(`is left out: ${inner} ${message}`);
    const left = steps.flatMap((one) => (one === step ? (kept ?? []) : one));
    return left.length === 0 ? null : { ...fields, steps: left };
  }
  if (path === 'name') return withPlainName(fields, note);
  return withoutItem(fields, { path, message }, note);
}

function withoutItem(
  fields: Fields,
  { path, message }: Pick<ShapeProblem, 'path' | 'message'>,
  note: (message: string) => void,
): Fields | null {
  const say = (what: string) => note(`${what} is left out: it ${message}`);
  const [, list, index] = /^(assertions|tags)\[(\d+)\]/.exec(path) ?? [];
  const items: unknown = list === undefined ? undefined : fields[list];
  if (list !== undefined && Array.isArray(items)) {
    const item: unknown = items[Number(index)];
    say(list === 'tags' ? `tag ${String(item)}` : `assertion ${JSON.stringify(item)}`);
    return dropEmptyFields({ ...fields, [list]: items.filter((_, at) => at !== Number(index)) });
  }
  if (path === 'tags' && Array.isArray(fields['tags'])) {
    note(`has more than ${TAGS_MAX} tags; the others are left out`);
    return { ...fields, tags: fields['tags'].slice(0, TAGS_MAX) };
  }
  if (path === 'alerts.channels') return withFewerChannels(fields, note);
  if (path === 'group' || path === 'tls') {
    say(path);
    return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== path));
  }
  const headers = isRecord(fields['headers']) ? fields['headers'] : {};
  const header = Object.keys(headers).find((name) => path === formatPath(['headers', name]));
  if (header === undefined) return null;
  say(`header ${header}`);
  return {
    ...fields,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header)),
  };
}

/**
 * Returns the object with a name on one line, without forbidden characters. An empty name is replaced by the key. null
 * means that the name stays unchanged.
 */
function withPlainName(fields: Fields, note: (message: string) => void): Fields | null {
  const { name: given, key } = fields;
  const before = typeof given === 'string' ? given : '';
  const plain = before.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const name = cutText(
    plain === '' ? (typeof key === 'string' ? key : 'Unnamed') : plain,
    NAME_MAX,
  );
  if (name === before) return null;
  note(`is renamed to ${name}: its name is too long or has invalid characters`);
  return { ...fields, name };
}

function portProblems({ url }: Fields, path: readonly PropertyKey[]): readonly ShapeProblem[] {
  const plain = String(url).replaceAll(/\{\{[^{}]*\}\}/g, 'x');
  const port = URL.canParse(plain) ? Number(new URL(plain).port || 443) : 443;
  if (!isBadPort(port)) return [];
  const message = `has port ${port}, which belongs to another protocol and cannot be checked`;
  return [{ path: formatPath([...path, 'url']), code: BLOCKED, message }];
}

const PRIVATE =
  'which is private: the service checks it only if its operator allows it (KEEPWATCH_ALLOWED_PRIVATE_TARGETS)';
const PRIVATE_HOST =
  /^(?:localhost|(?:10|127)\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[(?:::1|f[cd].*)\])$/;

/** Returns the hosts that a service refuses by default because they are private. */
function privateHosts(given: Fields): readonly string[] {
  const urls = [given, ...readSteps(given)].map(({ url }) => String(url));
  const hosts = urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname] : []));
  if (typeof given['host'] === 'string') hosts.push(given['host']);
  return [...new Set(hosts)].filter((host) => PRIVATE_HOST.test(host));
}

/** Returns the body with an id instead of each channel key, as the service does before it validates the body. */
function withIds(body: Fields): Fields {
  const { alerts } = body;
  if (!isRecord(alerts) || !Array.isArray(alerts['channels'])) return body;
  const channels = alerts['channels'].map((_, index) => `chn_${String(index).padStart(26, '0')}`);
  return { ...body, alerts: { ...alerts, channels } };
}

function withFewerChannels(fields: Fields, note: (message: string) => void): Fields | null {
  const { alerts } = fields;
  if (!isRecord(alerts) || !Array.isArray(alerts['channels'])) return null;
  const left: unknown[] = alerts['channels'].slice(0, -1);
  if (left.length === 0) return null;
  note(
    `notifies more channels than one may have; ${String(alerts['channels'].at(-1))} is left out`,
  );
  return { ...fields, alerts: { ...alerts, channels: left } };
}

/** Removes the channels that the import left out. If none remains, the default channels are notified. */
function withoutGone(fields: Fields, gone: ReadonlySet<unknown>, notes: ImportNote[]): Fields {
  const { alerts } = fields;
  if (!isRecord(alerts) || !Array.isArray(alerts['channels'])) return fields;
  const named: readonly unknown[] = alerts['channels'];
  const left = named.filter((key) => !gone.has(key));
  if (left.length === named.length) return fields;
  const { channels: _channels, ...rule } = alerts;
  if (left.length > 0) return { ...fields, alerts: { ...rule, channels: left } };
  const message = 'has no imported channel; the default channels get its alerts';
  notes.push({ name: readName(fields), message });
  return dropEmptyFields({ ...fields, alerts: rule });
}

function variableName(entry: Imported['env'][number]): string {
  return typeof entry === 'string' ? entry : entry.name;
}

function readSteps({ steps }: Fields): readonly Fields[] {
  return Array.isArray(steps) ? steps.filter(isRecord) : [];
}

function readName({ name, title }: Fields): string {
  const shown = name ?? title;
  return typeof shown === 'string' ? shown : '';
}
