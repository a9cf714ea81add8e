/**
 * A scenario while it is edited: rows instead of records, so that a half-typed name loses nothing.
 * Pure; bodies of the API go in and come out. It judges nothing: problems are found elsewhere.
 */
import { COOKIE_MODES, type CookieMode } from '../../../../contracts/definition';
import type { IpFamily } from '../../../../contracts/definitions/ip-family';
import { parsedJson } from '../../../../contracts/json';
import { isNetworkKind, type NetworkKind, networkMethod } from '../../../../contracts/kinds';
import { ownFieldNames } from '../../../../kinds/shapes';
import { targetText } from '../../../../kinds/words';
import { listOf, recordOf, textOf } from '../../../../schemas/loose';
import {
  DEFAULT_INTERVAL_SECONDS,
  scenarioOptionFields,
  stepFields,
} from '../../../../schemas/scenario';
import { type AuthDraft, readAuth } from '../../../shared/auth/auth-draft';
import {
  countOf,
  readScheduled,
  type ScheduledDraft,
} from '../../../shared/definition/definition-draft';
import { type OptionDraft, readOptions, type Values } from '../../../shared/definition/options';
import {
  type RequestDraft,
  readIpFamily,
  readRequest,
} from '../../../shared/definition/request-draft';
import { newRowId } from '../../../shared/form/assertion-draft';
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

/** Of a check of another kind than HTTP. */
const KIND_SOURCES: readonly ExtractionSource[] = ['jsonPath', 'body'];

export function sourcesOf(type: StepType): readonly ExtractionSource[] {
  return type === 'http' ? EXTRACTION_SOURCES : KIND_SOURCES;
}

export interface DraftExtraction {
  readonly rowId: string;
  readonly variable: string;
  readonly from: ExtractionSource;
  /** The path, the name or the pattern; empty for the status. */
  readonly source: string;
  /** Of a header: what of its value is taken; empty for all of it. */
  readonly pattern: string;
  /** JSON, or plain text; empty for none. */
  readonly fallback: string;
  readonly isSecret: boolean;
  /** It is a URL, made whole by that of the response. */
  readonly isResolved: boolean;
}

export type StepType = 'http' | NetworkKind;

export interface DraftStep extends RequestDraft, OptionDraft<typeof stepFields> {
  readonly id: string;
  readonly type: StepType;
  /** The own fields of another kind than HTTP, as /v1 has them. */
  readonly fields: Values;
  readonly name: string;
  readonly extract: readonly DraftExtraction[];
  readonly cookies: CookieMode;
  readonly until: {
    readonly everySeconds: number | null;
    readonly forSeconds: number | null;
  } | null;
}

export interface Draft extends ScheduledDraft, OptionDraft<typeof scenarioOptionFields> {
  readonly onFailure: 'stop' | 'continue';
  /** Of those steps that have none of their own. */
  readonly auth: AuthDraft;
  readonly tls: TlsDraft;
  readonly proxy: string;
  readonly ipFamily: IpFamily | null;
  readonly steps: readonly DraftStep[];
}

export function emptyStep(name: string): DraftStep {
  return toDraftStep({ name, method: 'GET', url: '' });
}

export function emptyDraft(): Draft {
  return toDraft({ name: '', steps: [{ name: 'Step 1', url: '' }] });
}

/** What the API answers or takes, as rows; what is not as expected counts as absent. */
export function toDraft(body: unknown): Draft {
  const given = recordOf(body);
  return {
    ...readScheduled(given, DEFAULT_INTERVAL_SECONDS),
    ...readOptions(scenarioOptionFields, given),
    onFailure: given['onFailure'] === 'continue' ? 'continue' : 'stop',
    auth: readAuth(given['auth']),
    tls: readTls(given['tls']),
    proxy: textOf(given['proxy']),
    ipFamily: readIpFamily(given['ipFamily']),
    steps: listOf(given['steps']).map(toDraftStep),
  };
}

export function toDraftStep(body: unknown): DraftStep {
  const given = recordOf(body);
  const type = isNetworkKind(given['type']) ? given['type'] : 'http';
  return {
    id: newRowId(),
    type,
    fields: type === 'http' ? {} : readFields(type, given),
    name: textOf(given['name']),
    // Some kinds have a URL and headers, too: those are among their fields.
    ...readRequest(type === 'http' ? given : {}),
    ...readOptions(stepFields, given),
    extract: Object.entries(recordOf(given['extract'])).map(toDraftExtraction),
    cookies: COOKIE_MODES.find((mode) => mode === given['cookies']) ?? 'keep',
    until: readUntil(given['until']),
  };
}

/** Those of the type alone: others may be left of an earlier choice. */
export function readFields(type: NetworkKind, given: Values): Values {
  const names = ownFieldNames(type).filter((name) => name !== 'tls' && name in given);
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

/** What the step is sent to, in short: `GET https://a.example`, or `TCP db.example.com:5432`. */
export function addressOf({ type, method, url, fields }: DraftStep): string {
  if (type === 'http') return `${method} ${url}`;
  if (ownFieldNames(type).includes('url')) return `${networkMethod(type)} ${textOf(fields['url'])}`;
  const port = countOf(fields['port']);
  const record = textOf(fields['record']);
  const target = { host: textOf(fields['host']), ...(port !== null && { port }) };
  return `${networkMethod(type)} ${targetText(record === '' ? target : { ...target, record })}`;
}

function readUntil(until: unknown): DraftStep['until'] {
  if (until === undefined || until === null) return null;
  const { everySeconds, forSeconds } = recordOf(until);
  return { everySeconds: countOf(everySeconds), forSeconds: countOf(forSeconds) };
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
  const source = recordOf(given);
  const from = EXTRACTION_SOURCES.find((known) => known === source['from']) ?? 'jsonPath';
  const key = sourceKey(from);
  return {
    rowId,
    variable,
    from,
    source: key === null ? '' : textOf(source[key]),
    pattern: from === 'header' ? textOf(source['pattern']) : '',
    fallback: fallbackText(source['default']),
    isSecret: source['secret'] === true,
    isResolved: source['resolve'] === true,
  };
}

/** Where a URL may be found that is not whole. */
export function isResolvable(from: ExtractionSource): boolean {
  return from === 'jsonPath' || from === 'header' || from === 'body';
}

/** The field of the body that holds the source of an extraction. */
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

/** A text that would read as other JSON, or as nothing, is quoted. */
function fallbackText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return value === '' || parsedJson(value) !== undefined ? JSON.stringify(value) : value;
}
