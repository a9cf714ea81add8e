/** A draft as the body that POST and PUT take, without what is at its default. Pure. */
import { DEFAULT_WARN_DAYS } from '../../../../contracts/certificates';
import type { JsonValue } from '../../../../contracts/definition';
import { STEP_OPTION_DEFAULTS } from '../../../../schemas/request-options';
import { toAssertion } from '../../../shared/form/assertion-draft';
import { changedOptions } from '../../../shared/form/request-option-draft';
import {
  bodyField,
  type HeaderRow,
  problemOfBody,
  toBody as readBody,
  type VariableRow,
} from '../../../shared/form/rows';
import { type Draft, type DraftExtraction, type DraftStep, isJson, sourceKey } from './draft';

export type Body = Readonly<Record<string, unknown>>;

export function toBody(draft: Draft): Body {
  const { name, interval, regions, group, tags, key, alerts, onFailure, enabled } = draft;
  return {
    name,
    interval,
    ...(regions.length === 0 ? {} : { regions }),
    ...(group.trim() === '' ? {} : { group }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(key.trim() === '' ? {} : { key }),
    ...(draft.timeoutSeconds === null ? {} : { timeoutSeconds: draft.timeoutSeconds }),
    ...(onFailure === 'stop' ? {} : { onFailure }),
    ...(draft.cookies ? {} : { cookies: false }),
    ...(enabled === null ? {} : { enabled }),
    ...(alerts === undefined ? {} : { alerts }),
    ...filled('variables', recordFrom(draft.variables, toBodyVariable)),
    steps: draft.steps.map(toBodyStep),
  };
}

export function toBodyStep(step: DraftStep): Body {
  const { name, method, url, headers, extract, assertions, until } = step;
  return {
    name,
    method,
    url,
    ...filled(
      'headers',
      recordFrom(headers, ({ value }) => value),
    ),
    ...(bodyValue(step) === null ? {} : { [bodyField(step.body.mode)]: bodyValue(step) }),
    ...filled('extract', Object.fromEntries(extract.filter(isGiven).map(toBodyExtraction))),
    ...(assertions.length === 0 ? {} : { assertions: assertions.map(toAssertion) }),
    ...changedOptions(step, STEP_OPTION_DEFAULTS),
    ...(isDefault(step.warnDays) ? {} : { tls: { warnDays: step.warnDays } }),
    ...(step.degradedAboveMs === null ? {} : { degradedAboveMs: step.degradedAboveMs }),
    ...(step.cookies === 'keep' ? {} : { cookies: step.cookies }),
    ...(step.always ? { always: true } : {}),
    ...(step.waitSeconds === null || step.waitSeconds === 0
      ? {}
      : { waitSeconds: step.waitSeconds }),
    ...(until === null ? {} : { until: given(until) }),
  };
}

function isDefault(warnDays: readonly number[]): boolean {
  return warnDays.join() === DEFAULT_WARN_DAYS.join();
}

/** The text itself while it is not JSON; the validation tells of that. */
export function bodyValue({ body }: DraftStep): JsonValue {
  return problemOfBody(body) === undefined ? readBody(body) : body.text;
}

/** A row that nobody has begun to fill in does not exist. */
export function isBegun({ name, value }: HeaderRow): boolean {
  return name.trim() !== '' || value !== '';
}

function isGiven({ variable, source }: DraftExtraction): boolean {
  return variable.trim() !== '' || source !== '';
}

function recordFrom<Row extends HeaderRow>(
  rows: readonly Row[],
  toValue: (row: Row) => unknown,
): Body {
  return Object.fromEntries(rows.filter(isBegun).map((row) => [row.name.trim(), toValue(row)]));
}

function toBodyVariable({ value, isSecret, isStored }: VariableRow): unknown {
  if (!isSecret) return value;
  return isStored && value === '' ? { secret: true } : { value, secret: true };
}

function toBodyExtraction(row: DraftExtraction): [string, unknown] {
  const { from, source, fallback, isSecret } = row;
  const variable = row.variable.trim();
  if (from === 'jsonPath' && fallback === '' && !isSecret) return [variable, source];
  const key = sourceKey(from);
  const value = {
    from,
    ...(key === null || (from === 'finalUrl' && source === '') ? {} : { [key]: source }),
    ...(from === 'header' && row.pattern !== '' ? { pattern: row.pattern } : {}),
    ...(fallback === '' ? {} : { default: isJson(fallback) ? JSON.parse(fallback) : fallback }),
    ...(isSecret ? { secret: true } : {}),
  };
  return [variable, value];
}

function filled(key: string, record: Body): Body {
  return Object.keys(record).length === 0 ? {} : { [key]: record };
}

/** Without the fields that are still empty, so that the schema calls them required. */
function given(fields: Readonly<Record<string, number | null>>): Body {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
