/** A monitor as the form holds it, and as /v1 takes it. Pure; drafts may be invalid in any way. */
import { DEFAULT_WARN_DAYS } from '../../../../contracts/certificates';
import type { HttpMethod, JsonValue } from '../../../../contracts/definition';
import { MONITOR_OPTION_DEFAULTS, requestOptionsOf } from '../../../../schemas/request-options';
import type { Monitor } from '../../../shared/data/api-types';
import {
  type AssertionDraft,
  fromAssertion,
  type GivenAssertion,
  newAssertion,
  toAssertion,
} from '../../../shared/form/assertion-draft';
import { changedOptions, type DraftOptions } from '../../../shared/form/request-option-draft';
import {
  type BodyDraft,
  fromBody,
  fromHeaders,
  fromVariables,
  type GivenVariable,
  type HeaderRow,
  toBodyFields,
  toHeaders,
  toVariables,
  type VariableRow,
} from '../../../shared/form/rows';

export interface MonitorDraft extends DraftOptions {
  readonly name: string;
  readonly url: string;
  readonly method: HttpMethod;
  /** Seconds. */
  readonly interval: number;
  readonly regions: readonly string[];
  readonly headers: readonly HeaderRow[];
  readonly body: BodyDraft;
  readonly assertions: readonly AssertionDraft[];
  readonly alerts: Monitor['alerts'];
  readonly group: string;
  readonly tags: readonly string[];
  readonly key: string;
  readonly variables: readonly VariableRow[];
  readonly degradedAboveMs: number | null;
  readonly tls: { readonly warnDays: readonly number[] };
  readonly quorum: number | 'majority';
  readonly failuresBeforeDown: number;
  readonly successesBeforeUp: number;
}

/** What the form begins with: it checks a page once a minute for a status of 200. */
export function newMonitorDraft(alerts: Monitor['alerts']): MonitorDraft {
  return {
    name: '',
    url: 'https://',
    method: 'GET',
    interval: 60,
    regions: [],
    headers: [],
    body: { mode: 'none', text: '' },
    assertions: [newAssertion('status')],
    alerts,
    group: '',
    tags: [],
    key: '',
    variables: [],
    ...MONITOR_OPTION_DEFAULTS,
    degradedAboveMs: null,
    tls: { warnDays: DEFAULT_WARN_DAYS },
    quorum: 1,
    failuresBeforeDown: 1,
    successesBeforeUp: 1,
  };
}

/** The definition as an answer of /v1 has it, or as somebody typed it. */
export type MonitorDefinition = Omit<
  MonitorDraft,
  'assertions' | 'headers' | 'body' | 'variables' | 'group' | 'key'
> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly form?: unknown;
  readonly multipart?: unknown;
  readonly graphql?: unknown;
  readonly assertions: readonly GivenAssertion[];
  readonly variables: Readonly<Record<string, GivenVariable>>;
  readonly group: string | null;
  readonly key: string | null;
};

export function toDraft(monitor: MonitorDefinition): MonitorDraft {
  const { headers, assertions, variables, group, key } = monitor;
  return {
    name: monitor.name,
    url: monitor.url,
    method: monitor.method,
    interval: monitor.interval,
    regions: monitor.regions,
    headers: fromHeaders(headers),
    body: fromBody(monitor),
    assertions: assertions.map((assertion) => fromAssertion(assertion)),
    alerts: monitor.alerts,
    group: group ?? '',
    tags: monitor.tags,
    key: key ?? '',
    variables: fromVariables(variables),
    ...requestOptionsOf(monitor),
    degradedAboveMs: monitor.degradedAboveMs,
    tls: monitor.tls,
    quorum: monitor.quorum,
    failuresBeforeDown: monitor.failuresBeforeDown,
    successesBeforeUp: monitor.successesBeforeUp,
  };
}

/** A copy to save under a name of its own: nothing that must be unique comes along. */
export function duplicateOf(monitor: MonitorDefinition): MonitorDraft {
  return { ...toDraft(monitor), name: `${monitor.name} (copy)`, key: '' };
}

/** The body for /v1. A JSON body that cannot be read throws; problemOfBody tells beforehand. */
export function toMonitorBody(draft: MonitorDraft): Record<string, JsonValue> {
  const { regions, group, key, alerts } = draft;
  return {
    name: draft.name.trim(),
    url: draft.url.trim(),
    method: draft.method,
    interval: draft.interval,
    ...(regions.length === 0 ? {} : { regions }),
    headers: toHeaders(draft.headers),
    ...toBodyFields(draft.body),
    assertions: draft.assertions.map(toAssertion),
    alerts: { ...alerts },
    group: group.trim() === '' ? null : group.trim(),
    tags: draft.tags,
    key: key.trim() === '' ? null : key.trim(),
    variables: toVariables(draft.variables),
    ...changedOptions(draft),
    degradedAboveMs: draft.degradedAboveMs,
    tls: { warnDays: draft.tls.warnDays },
    quorum: draft.quorum,
    failuresBeforeDown: draft.failuresBeforeDown,
    successesBeforeUp: draft.successesBeforeUp,
  };
}
