/**
 * A check of Checkly: its schema, and the fields that checks of all types have. Other files read the request, because
 * it depends on the type.
 */
import { z } from 'zod';
import { type Fields, noteFields, readTimes } from '../imported';
import { variablesShape } from './checkly-variables';

export const text = z.string().nullish();

export const assertionShape = z.looseObject({
  source: z.string(),
  comparison: z.string(),
  property: text,
  target: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  regex: text,
});
export type CheckAssertion = z.output<typeof assertionShape>;

export const checkShape = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  name: z.string(),
  checkType: z.string(),
  activated: z.boolean().nullish(),
  muted: z.boolean().nullish(),
  shouldFail: z.boolean().nullish(),
  frequency: z.number().nullish(),
  frequencyOffset: z.number().nullish(),
  locations: z.array(z.string()).nullish(),
  tags: z.array(z.string()).nullish(),
  degradedResponseTime: z.number().nullish(),
  maxResponseTime: z.number().nullish(),
  maxPacketLossThreshold: z.number().nullish(),
  degradedPacketLossThreshold: z.number().nullish(),
  doubleCheck: z.boolean().nullish(),
  retryStrategy: z.looseObject({ maxRetries: z.number().nullish() }).nullish(),
  setupSnippetId: z.number().nullish(),
  tearDownSnippetId: z.number().nullish(),
  localSetupScript: text,
  localTearDownScript: text,
  environmentVariables: variablesShape,
  /** The request. Its shape depends on the type of the check. */
  request: z.looseObject({}).nullish(),
});

export type Check = z.output<typeof checkShape>;
export type Note = (message: string) => void;

const RETRIES_MAX = 5;

/** Fields that only Checkly's service uses. They are left out without a note. */
const SILENT_FIELDS: readonly string[] = [
  'created_at',
  'updated_at',
  'groupId',
  'groupOrder',
  'group',
  'runtimeId',
  'script',
  'scriptPath',
  'sslCheckDomain',
  'testOnly',
  'setupScript',
  'tearDownScript',
  'alertEscalationPolicy',
  'alertChannels',
  'apiCheckDefaults',
  'concurrency',
  'checkMatch',
  'ignoreDirectoriesMatch',
  'browserChecks',
  'multiStepChecks',
  'playwrightConfigPath',
];

/** Parses the request by the schema of its type. Returns null and adds a note if it cannot be read. */
export function readRequest<Request>(
  { request }: Check,
  { shape, note }: { readonly shape: z.ZodType<Request>; readonly note: Note },
): Request | null {
  const parsed = shape.safeParse(request ?? {});
  if (parsed.success) return parsed.data;
  note(`${formatFault(parsed.error, 'request')}; left out`);
  return null;
}

export function formatFault({ issues: [first] }: z.ZodError, ...above: readonly string[]): string {
  const path = [...above, ...(first?.path ?? [])].join('.');
  return `${path} cannot be imported (${first?.message ?? ''})`;
}

/** Converts the fields that every check has. Writes notes about parts without a counterpart. */
export function importCommon(check: Check, note: Note): Fields {
  noteLosses(check, note);
  noteUnknownFields(check, { shape: checkShape, note });
  const intervalSeconds = frequencySeconds(check);
  return {
    ...readTimes({ intervalSeconds, timeoutMs: check.maxResponseTime ?? null }, { note }),
    degradedAboveMs: check.degradedResponseTime,
    retries: importRetries(check, note),
    tags: check.tags,
    enabled: check.activated === false ? false : null,
  };
}

/** Writes a note about each field that the schema does not have. */
export function noteUnknownFields(
  fields: object,
  { shape, note }: { readonly shape: z.ZodObject; readonly note: Note },
): void {
  const strays = Object.entries(fields).filter(
    ([name]) => !(name in shape.shape) && !SILENT_FIELDS.includes(name),
  );
  noteFields(
    Object.fromEntries(strays),
    strays.map(([name]) => name),
    { note },
  );
}

function importRetries({ doubleCheck, retryStrategy }: Check, note: Note): number {
  const wanted = retryStrategy?.maxRetries ?? (doubleCheck === true ? 1 : 0);
  if (wanted > RETRIES_MAX) note(`${wanted} retries lowered to ${RETRIES_MAX}, the maximum`);
  return Math.min(RETRIES_MAX, wanted);
}

/**
 * Returns the interval in seconds. `frequency` is in minutes. If it is 0, `frequencyOffset` is the interval in seconds.
 */
function frequencySeconds({ frequency, frequencyOffset }: Check): number {
  return frequency === 0 ? (frequencyOffset ?? 10) : Math.round((frequency ?? 10) * 60);
}

function noteLosses(check: Check, note: Note): void {
  const { locations, localSetupScript, localTearDownScript, setupSnippetId, tearDownSnippetId } =
    check;
  if (locations && locations.length > 0)
    note(`runs in ${locations.join(', ')}; set regions to yours, or leave the default`);
  if (localSetupScript || localTearDownScript || setupSnippetId || tearDownSnippetId)
    note('has scripts before or after; use a scenario with steps instead');
  if (check.muted === true) note('is muted; use alerts or a maintenance window');
}
