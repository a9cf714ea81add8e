/**
 * A scenario while it is edited. It has rows instead of records, because a record would lose a row whose name is
 * half-typed.
 */
import { COOKIE_MODES, type CookieMode } from '../../../../contracts/definition';
import { parseJson } from '../../../../contracts/json';
import { isNetworkKind, type NetworkKind, networkMethod } from '../../../../contracts/kinds';
import { listOwnFieldNames } from '../../../../kinds/shapes';
import { formatTargetText } from '../../../../kinds/words';
import { readList, readRecord, readText } from '../../../../schemas/loose';
import {
  DEFAULT_INTERVAL_SECONDS,
  scenarioOptionFields,
  stepFields,
} from '../../../../schemas/scenario';
import { type AuthDraft, readAuth } from '../../../shared/auth/auth-draft';
import {
  readCount,
  readScheduled,
  type ScheduledDraft,
} from '../../../shared/definition/definition-draft';
import { type OptionDraft, readOptions, type Values } from '../../../shared/definition/options';
import {
  type RequestDraft,
  type RouteDraft,
  readRequest,
  readRoute,
} from '../../../shared/definition/request-draft';
import { newRowId } from '../../../shared/form/assertions/assertion-draft';
import { readTls, type TlsDraft } from '../../../shared/tls/tls-draft';

export const EXTRACTION_SOURCES = [
  'jsonPath',
  'header',
  'cookie',
  'finalUrl',
  'status',
  'body',
] as const;
export type ExtractionSource = (typeof EXTRACTION_SOURCES)[number];

/** The sources of extractions for checks of a kind other than HTTP. */
const KIND_SOURCES: readonly ExtractionSource[] = ['jsonPath', 'body'];

export function listSources(type: StepType): readonly ExtractionSource[] {
  return type === 'http' ? EXTRACTION_SOURCES : KIND_SOURCES;
}

export interface DraftExtraction {
  readonly rowId: string;
  readonly variable: string;
  readonly from: ExtractionSource;
  /** A path, name or pattern, depending on `from`. Empty for the status. */
  readonly source: string;
  /** For headers, the part of the value to extract. Empty for the whole value. */
  readonly pattern: string;
  /** The fallback as JSON or plain text. Empty if there is none. */
  readonly fallback: string;
  readonly isSecret: boolean;
  /** True if the value is a URL that is resolved against the response's URL. */
  readonly isResolved: boolean;
}

export type StepType = 'http' | NetworkKind;

export interface DraftStep extends RequestDraft, OptionDraft<typeof stepFields> {
  readonly id: string;
  readonly type: StepType;
  /** The fields of a kind other than HTTP, in the format of /v1. */
  readonly fields: Values;
  readonly name: string;
  readonly extract: readonly DraftExtraction[];
  readonly cookies: CookieMode;
  readonly until: {
    readonly everySeconds: number | null;
    readonly forSeconds: number | null;
  } | null;
}

export interface Draft
  extends ScheduledDraft,
    RouteDraft,
    OptionDraft<typeof scenarioOptionFields> {
  readonly onFailure: 'stop' | 'continue';
  /** The authentication of steps that do not set their own. */
  readonly auth: AuthDraft;
  readonly tls: TlsDraft;
  readonly steps: readonly DraftStep[];
}

export function emptyStep(name: string): DraftStep {
  return toDraftStep({ name, method: 'GET', url: '' });
}

export function emptyDraft(): Draft {
  return toDraft({ name: '', steps: [{ name: 'Step 1', url: '' }] });
}

/** Converts a body of the API to rows. Fields of an unexpected shape are treated as absent. */
export function toDraft(body: unknown): Draft {
  const given = readRecord(body);
  return {
    ...readScheduled(given, DEFAULT_INTERVAL_SECONDS),
    ...readOptions(scenarioOptionFields, given),
    onFailure: given['onFailure'] === 'continue' ? 'continue' : 'stop',
    auth: readAuth(given['auth']),
    tls: readTls(given['tls']),
    ...readRoute(given),
    steps: readList(given['steps']).map(toDraftStep),
  };
}

export function toDraftStep(body: unknown): DraftStep {
  const given = readRecord(body);
  const type = isNetworkKind(given['type']) ? given['type'] : 'http';
  return {
    id: newRowId(),
    type,
    fields: type === 'http' ? {} : readFields(type, given),
    name: readText(given['name']),
    // Some kinds other than HTTP also have a URL and headers. For these kinds, URL and headers are in `fields`.
    ...readRequest(type === 'http' ? given : {}),
    ...readOptions(stepFields, given),
    extract: Object.entries(readRecord(given['extract'])).map(toDraftExtraction),
    cookies: COOKIE_MODES.find((mode) => mode === given['cookies']) ?? 'keep',
    until: readUntil(given['until']),
  };
}

/** Returns only the fields of this type. The body may also contain fields of a type that was chosen earlier. */
export function readFields(type: NetworkKind, given: Values): Values {
  const names = listOwnFieldNames(type).filter((name) => name !== 'tls' && name in given);
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

/** Formats the target of the step: `GET https://a.example`, or `TCP db.example.com:5432`. */
export function formatTarget({ type, method, url, fields }: DraftStep): string {
  if (type === 'http') return `${method} ${url}`;
  if (listOwnFieldNames(type).includes('url'))
    return `${networkMethod(type)} ${readText(fields['url'])}`;
  const port = readCount(fields['port']);
  const record = readText(fields['record']);
  const target = { host: readText(fields['host']), ...(port !== null && { port }) };
  return `${networkMethod(type)} ${formatTargetText(record === '' ? target : { ...target, record })}`;
}

/** Formats the target without a leading `{{baseUrl}}`, which most steps share: `GET /orders/{{orderId}}`. */
export function formatShortTarget(step: DraftStep): string {
  return formatTarget(step).replace(/^(\S+ )\{\{\s*baseUrl\s*\}\}(?=\/)/, '$1');
}

function readUntil(until: unknown): DraftStep['until'] {
  if (until === undefined || until === null) return null;
  const { everySeconds, forSeconds } = readRecord(until);
  return { everySeconds: readCount(everySeconds), forSeconds: readCount(forSeconds) };
}

function toDraftExtraction([variable, given]: [string, unknown]): DraftExtraction {
  const rowId = newRowId();
  const plain = {
    rowId,
    variable,
    from: 'jsonPath' as const,
    pattern: '',
    fallback: '',
    isSecret: false,
    isResolved: false,
  };
  if (typeof given === 'string') return { ...plain, source: given };
  const source = readRecord(given);
  const from = EXTRACTION_SOURCES.find((known) => known === source['from']) ?? 'jsonPath';
  const key = sourceKey(from);
  return {
    rowId,
    variable,
    from,
    source: key === null ? '' : readText(source[key]),
    pattern: from === 'header' ? readText(source['pattern']) : '',
    fallback: fallbackText(source['default']),
    isSecret: source['secret'] === true,
    isResolved: source['resolve'] === true,
  };
}

/** True if the source can yield a relative URL. */
export function isResolvable(from: ExtractionSource): boolean {
  return from === 'jsonPath' || from === 'header' || from === 'body';
}

/** Returns the field of the API body that contains the source of an extraction. */
export function sourceKey(from: ExtractionSource): 'path' | 'name' | 'pattern' | null {
  const keys = {
    jsonPath: 'path',
    header: 'name',
    cookie: 'name',
    finalUrl: 'pattern',
    body: 'pattern',
    status: null,
  } as const;
  return keys[from];
}

/** Returns the fallback as text. Quotes a string that is empty or that would otherwise be parsed as JSON. */
function fallbackText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return value === '' || parseJson(value) !== undefined ? JSON.stringify(value) : value;
}
