/** Says which timing values of a step differ from their defaults. Pure. */
import { kindStepOptionFields } from '../../../../kinds/steps';
import { stepFields } from '../../../../schemas/scenario';
import { readOptionFacts } from '../../../shared/definition/options';
import { type DraftStep, emptyStep } from '../draft/draft';
import { STEP_OPTION_TEXTS } from '../draft/scenario-options';
import { BUILDER_TEXT, COOKIE_WORDS } from './builder-strings';

/** The fields of a step, in the format of /v1, that the part "Timing and repetition" contains. */
export const TIMING_FIELDS: readonly string[] = [
  ...Object.keys(stepFields),
  'cookies',
  'until',
  'tls.warnDays',
];

/** Lists the values that are not defaults, like `Retries: 2`. Fields that the type does not have are left out. */
export function listTimingChanges(step: DraftStep): readonly string[] {
  const isRequest = step.type === 'http';
  const texts: Readonly<Record<string, { readonly label: string }>> = STEP_OPTION_TEXTS;
  const values: Readonly<Record<string, unknown>> = { ...step };
  const options = Object.entries(isRequest ? stepFields : kindStepOptionFields).flatMap(
    ([name, field]) => {
      const value = values[name] ?? null;
      const label = texts[name]?.label ?? name;
      if (value === null || value === readOptionFacts(field).fallback) return [];
      return [`${label}: ${formatValue(value)}`];
    },
  );
  const { warnDays } = emptyStep('');
  return [
    ...options,
    ...(isRequest && step.cookies !== 'keep' ? [`Cookies: ${COOKIE_WORDS[step.cookies]}`] : []),
    ...(step.until === null ? [] : [BUILDER_TEXT.repeated]),
    ...(String(step.warnDays) === String(warnDays) ? [] : [BUILDER_TEXT.warned]),
  ];
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'set';
}
