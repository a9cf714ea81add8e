/** Describes audit events in words, and decides which events form one row. Pure. */
import type { AuditEvent } from '../../../shared/data/api-types';

/** The past tense of known verbs. A verb that is not listed is shown as it is. */
const VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  put: 'changed',
  update: 'changed',
  delete: 'deleted',
  pause: 'paused',
  resume: 'resumed',
  tag: 'tagged',
  group: 'moved',
  run: 'ran',
  test: 'sent a test to',
  apply: 'applied',
  end: 'ended',
  start: 'started',
  undo: 'undid',
  now: 'started',
  acknowledge: 'acknowledged',
  unacknowledge: 'took back the acknowledgement of',
  snooze: 'snoozed',
  notes: 'added a note to',
  add_update: 'added an update to',
  publish: 'published',
  cancel: 'cancelled',
  accept: 'accepted',
  exchange: 'got a key of',
  rotate_token: 'changed the ping URL of',
  rotate_signing_secret: 'changed the signing secret of',
  rotate_key: 'changed the encryption key of',
};

/** The texts of actions that need a special wording. */
const SENTENCES: Readonly<Record<string, string>> = {
  'account.set_up': 'set up the account',
  'account.update': 'changed the account',
  'alert_routes.put': 'changed the alert routes',
  'variables.put': 'changed the account variables',
  'configuration.apply': 'applied a configuration',
  'password.change': 'changed their password',
  'password.reset': 'reset their password',
  'session.open': 'signed in',
  'session.refuse': 'refused a sign-in',
  'session.close': 'signed out',
  'session.delete': 'signed out one of their sessions',
  'session.delete_others': 'signed out all their other sessions',
};

/** The actions that the filter offers, because people look for them. */
export const ACTIONS: readonly string[] = [
  ...['monitor', 'scenario'].flatMap((type) =>
    ['create', 'put', 'update', 'pause', 'resume', 'run', 'delete'].map(
      (verb) => `${type}.${verb}`,
    ),
  ),
  ...['acknowledge', 'unacknowledge', 'snooze', 'notes'].map((verb) => `incident.${verb}`),
  ...[
    'alert_channel',
    'alert_policy',
    'environment',
    'hours',
    'profile',
    'maintenance_window',
    'status_page',
  ].flatMap((type) => ['create', 'update', 'delete'].map((verb) => `${type}.${verb}`)),
  'api_key.create',
  'api_key.delete',
  ...['create', 'put', 'delete', 'exchange'].map((verb) => `pipeline.${verb}`),
  'secret.put',
  'secret.delete',
  'invitation.create',
  'member.update',
  'member.delete',
  ...Object.keys(SENTENCES),
];

/** Returns the verb of an action: `monitor.pause` → `paused`. */
function findVerb(action: string): string {
  const verb = action.split('.').at(-1) ?? action;
  return VERBS[verb] ?? verb.replaceAll('_', ' ');
}

/** True for a PUT that created its resource. */
function isFirstPut({ action, before, after }: AuditEvent): boolean {
  if (!action.endsWith('.put') || before !== null) return false;
  return typeof after === 'object' && after !== null && Reflect.get(after, 'version') === 1;
}

const NOUNS: Readonly<Record<string, string>> = { api_key: 'API key', hours: 'set of hours' };

function formatNoun(resourceType: string): string {
  return NOUNS[resourceType] ?? resourceType.replaceAll('_', ' ');
}

/** Returns the label of an action in the filter, like `Monitor: paused`. */
export function actionWords(action: string): string {
  const sentence = SENTENCES[action];
  if (sentence !== undefined) return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
  const [resourceType = ''] = action.split('.');
  const noun = formatNoun(resourceType);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${findVerb(action)}`;
}

/** One or more events of the same request with the same verb. */
export interface AuditRow {
  readonly event: AuditEvent;
  /** All events of the row, in the order of the trail. */
  readonly events: readonly AuditEvent[];
}

/** Merges adjacent events of the same request with the same verb, so that a bulk action is one row. */
export function groupEvents(events: readonly AuditEvent[]): readonly AuditRow[] {
  const rows: AuditRow[] = [];
  for (const event of events) {
    const last = rows.at(-1);
    if (last === undefined || !isSameDeed(last.event, event)) rows.push({ event, events: [event] });
    else rows[rows.length - 1] = { event: last.event, events: [...last.events, event] };
  }
  return rows;
}

function isSameDeed(one: AuditEvent, other: AuditEvent): boolean {
  return one.requestId === other.requestId && findVerb(one.action) === findVerb(other.action);
}

/** An event in words: a verb, and an object that the page emphasizes. The object may be empty. */
export interface Deed {
  readonly verb: string;
  readonly object: string;
}

/** Describes the event or events of a row. `names` contains the names of existing resources, by id. */
export function describeEvent(
  { event, events }: AuditRow,
  names: ReadonlyMap<string, string>,
): Deed {
  const sentence = SENTENCES[event.action];
  if (sentence !== undefined) return { verb: sentence, object: '' };
  const verb = isFirstPut(event) ? 'created' : findVerb(event.action);
  if (events.length === 1)
    return {
      verb: `${verb} ${formatNoun(event.resourceType)}`,
      object: findResourceName(event, names),
    };
  const types = [...new Set(events.map(({ resourceType }) => formatNoun(resourceType)))];
  const noun = types.length === 1 ? `${types[0]}s` : 'checks';
  return { verb, object: `${events.length} ${noun}` };
}

/** Returns the resource's current name. If there is none, returns its name in the event, or else its id. */
export function findResourceName(
  { resourceId, before, after }: AuditEvent,
  names: ReadonlyMap<string, string>,
): string {
  const known = resourceId === null ? undefined : names.get(resourceId);
  return known ?? nameIn(after) ?? nameIn(before) ?? resourceId ?? '';
}

/** Returns the actor's name: a person's email address, or a text like `deploy (API key)`. */
export function actorWords({ type, name }: AuditEvent['actor']): string {
  return type === 'api_key' ? `${name} (API key)` : name;
}

function nameIn(side: unknown): string | undefined {
  if (typeof side !== 'object' || side === null) return undefined;
  for (const field of ['name', 'title', 'email', 'resourceName'] as const) {
    const value: unknown = Reflect.get(side, field);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
