/** Says which timing values of a step differ from their defaults. Pure. */
import { kindStepOptionFields } from '../../../../kinds/steps';
import { stepFields } from '../../../../schemas/scenario';
import { listWarnDaysChanges } from '../../../shared/definition/changes';
import { optionsBody } from '../../../shared/definition/options';
import { describeFields } from '../../../shared/form/problems/field-words';
import type { DraftStep } from '../draft/draft';
import { BUILDER_TEXT, COOKIE_WORDS } from './builder-strings';

/** The fields of a step, in the format of /v1, that the part "Timing and repetition" contains. */
export const TIMING_FIELDS: readonly string[] = [
  ...Object.keys(stepFields),
  'cookies',
  'until',
  'tls.warnDays',
];

/** Lists the values that are not defaults, like `Retries 2`. Fields that the type does not have are left out. */
export function listTimingChanges(step: DraftStep): readonly string[] {
  const isRequest = step.type === 'http';
  return [
    ...describeFields(optionsBody(isRequest ? stepFields : kindStepOptionFields, step)),
    ...(isRequest && step.cookies !== 'keep' ? [`Cookies: ${COOKIE_WORDS[step.cookies]}`] : []),
    ...(step.until === null ? [] : [BUILDER_TEXT.repeated]),
    ...listWarnDaysChanges(step.warnDays),
  ];
}
