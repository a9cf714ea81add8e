/**
 * A scenario while it is edited: rows instead of records, so that a half-typed name loses nothing.
 * Pure; bodies of the API go in and come out. It judges nothing: problems are found elsewhere.
 */
import { DEFAULT_WARN_DAYS } from '../../../../contracts/certificates';
import {
  ASSERTION_OPERATORS,
  COOKIE_MODES,
  type CookieMode,
} from '../../../../contracts/definition';
import { listOf, recordOf, textOf } from '../../../../schemas/loose';
import type { Scenario } from '../../../shared/data/api-types';
import {
  ASSERTION_TYPES,
  type AssertionDraft,
  fromAssertion,
  type GivenAssertion,
  newRowId,
} from '../../../shared/form/assertion-draft';
import { type DraftOptions, draftOptionsOf } from '../../../shared/form/request-option-draft';
import {
  type BodyDraft,
  fromBody,
  type HeaderRow,
  newHeaderRow,
  type VariableRow,
} from '../../../shared/form/rows';

export const EXTRACTION_SOURCES = [
  'jsonPath',
  'header',
  'cookie',
  'finalUrl',
  'status',
  'body',
] as const;
export type ExtractionSource = (typeof EXTRACTION_SOURCES)[number];

type Alerts = Scenario['alerts'];

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
}

export interface DraftStep extends DraftOptions {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderRow[];
  readonly body: BodyDraft;
  readonly extract: readonly DraftExtraction[];
  readonly assertions: readonly AssertionDraft[];
  readonly warnDays: readonly number[];
  readonly degradedAboveMs: number | null;
  readonly cookies: CookieMode;
  readonly always: boolean;
  readonly waitSeconds: number | null;
  readonly until: {
    readonly everySeconds: number | null;
    readonly forSeconds: number | null;
  } | null;
}

export interface Draft {
  readonly name: string;
  readonly interval: number;
  readonly regions: readonly string[];
  readonly group: string;
  readonly tags: readonly string[];
  readonly key: string;
  readonly timeoutSeconds: number | null;
  readonly onFailure: 'stop' | 'continue';
  readonly cookies: boolean;
  /** null leaves the state alone. */
  readonly enabled: boolean | null;
  /** undefined for those that the service sets by itself. */
  readonly alerts: Alerts | undefined;
  readonly variables: readonly VariableRow[];
  readonly steps: readonly DraftStep[];
}

const DEFAULT_INTERVAL_SECONDS = 300;

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
    name: textOf(given['name']),
    interval: countOf(given['interval']) ?? DEFAULT_INTERVAL_SECONDS,
    regions: textsOf(given['regions']),
    group: textOf(given['group']),
    tags: textsOf(given['tags']),
    key: textOf(given['key']),
    timeoutSeconds: countOf(given['timeoutSeconds']),
    onFailure: given['onFailure'] === 'continue' ? 'continue' : 'stop',
    cookies: given['cookies'] !== false,
    enabled: typeof given['enabled'] === 'boolean' ? given['enabled'] : null,
    alerts: isAlerts(given['alerts']) ? given['alerts'] : undefined,
    variables: Object.entries(recordOf(given['variables'])).map(toDraftVariable),
    steps: listOf(given['steps']).map(toDraftStep),
  };
}

function toDraftVariable([name, given]: [string, unknown]): VariableRow {
  const { value, secret } = recordOf(given);
  const isSecret = secret === true;
  const text = typeof given === 'string' ? given : textOf(value);
  const isStored = isSecret && value === undefined;
  return { ...newHeaderRow(name, text), isSecret, isStored };
}

export function toDraftStep(body: unknown): DraftStep {
  const given = recordOf(body);
  const until = recordOf(given['until']);
  return {
    id: newRowId(),
    name: textOf(given['name']),
    method: textOf(given['method']).toUpperCase() || 'GET',
    url: textOf(given['url']),
    headers: Object.entries(recordOf(given['headers'])).map(([name, value]) =>
      newHeaderRow(name, textOf(value)),
    ),
    body: fromBody(given),
    extract: Object.entries(recordOf(given['extract'])).map(toDraftExtraction),
    assertions: listOf(given['assertions']).filter(isAssertion).map(fromAssertion),
    ...draftOptionsOf(given),
    warnDays: warnDaysOf(given['tls']),
    degradedAboveMs: countOf(given['degradedAboveMs']),
    cookies: COOKIE_MODES.find((mode) => mode === given['cookies']) ?? 'keep',
    always: given['always'] === true,
    waitSeconds: countOf(given['waitSeconds']),
    until:
      given['until'] === undefined || given['until'] === null
        ? null
        : {
            everySeconds: countOf(until['everySeconds']),
            forSeconds: countOf(until['forSeconds']),
          },
  };
}

function warnDaysOf(tls: unknown): readonly number[] {
  const { warnDays } = recordOf(tls);
  if (warnDays === undefined) return DEFAULT_WARN_DAYS;
  return listOf(warnDays).filter((days) => typeof days === 'number');
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
  };
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
  return value === '' || isJson(value) ? JSON.stringify(value) : value;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

/** Only that it is a rule at all: the schema of the API judges the rest. */
function isAssertion(value: unknown): value is GivenAssertion {
  const { type, operator } = recordOf(value);
  const isKnownType = ASSERTION_TYPES.some((known) => known === type);
  return isKnownType && ASSERTION_OPERATORS.some((known) => known === operator);
}

function isAlerts(value: unknown): value is Alerts {
  return Array.isArray(recordOf(value)['emails']) && Array.isArray(recordOf(value)['channels']);
}
