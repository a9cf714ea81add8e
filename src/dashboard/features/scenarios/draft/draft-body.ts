/** Converts a draft to the body of POST and PUT, without default values. */
import { parseJsonOrText } from '../../../../contracts/json';
import { KIND_SHAPES } from '../../../../kinds/shapes';
import { kindStepOptionFields } from '../../../../kinds/steps';
import { scenarioOptionFields, stepFields } from '../../../../schemas/scenario';
import { authBody } from '../../../shared/auth/auth-draft';
import { filled, kindFieldsBody, scheduledBody } from '../../../shared/definition/definition-draft';
import { optionsBody, type Values } from '../../../shared/definition/options';
import { requestBody, routeBody, warnDaysBody } from '../../../shared/definition/request-draft';
import { tlsFields } from '../../../shared/tls/tls-draft';
import {
  type Draft,
  type DraftExtraction,
  type DraftStep,
  isResolvable,
  readFields,
  sourceKey,
} from './draft';

export function toBody(draft: Draft): Values {
  return {
    name: draft.name,
    ...scheduledBody(draft),
    ...optionsBody(scenarioOptionFields, draft),
    ...(draft.onFailure === 'stop' ? {} : { onFailure: draft.onFailure }),
    ...authBody(draft.auth),
    ...filled('tls', tlsFields(draft.tls)),
    ...routeBody(draft),
    steps: draft.steps.map(toBodyStep),
  };
}

export function toBodyStep(step: DraftStep): Values {
  const { type, name, extract, cookies, until } = step;
  const shared = {
    ...filled('extract', Object.fromEntries(extract.filter(isGiven).map(toBodyExtraction))),
    ...(until === null ? {} : { until: given(until) }),
  };
  if (type !== 'http')
    return {
      type,
      name,
      ...kindFieldsBody(readFields(type, step.fields)),
      ...(KIND_SHAPES[type].hasCertificate ? warnDaysBody(step.warnDays) : {}),
      ...optionsBody(kindStepOptionFields, step),
      ...shared,
    };
  return {
    name,
    ...requestBody(step),
    ...optionsBody(stepFields, step),
    ...(cookies === 'keep' ? {} : { cookies }),
    ...shared,
  };
}

function isGiven({ variable, source }: DraftExtraction): boolean {
  return variable.trim() !== '' || source !== '';
}

function toBodyExtraction(row: DraftExtraction): [string, unknown] {
  const { from, source, fallback, isSecret } = row;
  const isResolved = row.isResolved && isResolvable(from);
  const variable = row.variable.trim();
  if (from === 'jsonPath' && fallback === '' && !isSecret && !isResolved) return [variable, source];
  const key = sourceKey(from);
  const value = {
    from,
    ...(key === null || (from === 'finalUrl' && source === '') ? {} : { [key]: source }),
    ...(from === 'header' && row.pattern !== '' ? { pattern: row.pattern } : {}),
    ...(fallback === '' ? {} : { default: parseJsonOrText(fallback) }),
    ...(isSecret ? { secret: true } : {}),
    ...(isResolved ? { resolve: true } : {}),
  };
  return [variable, value];
}

/** Omits empty fields, so that the schema reports them as required. */
function given(fields: Readonly<Record<string, number | null>>): Values {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
