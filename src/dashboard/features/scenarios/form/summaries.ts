/** One-line summaries of the folded sections of the scenario form. Pure. */
import { scenarioOptionFields } from '../../../../schemas/scenario';
import { countWords } from '../../../shared/charts/counted';
import {
  listAuthChanges,
  listConnectionChanges,
  listNamingChanges,
} from '../../../shared/definition/changes';
import { optionsBody } from '../../../shared/definition/options';
import { describeFields } from '../../../shared/form/problems/field-words';
import type { VariableRow } from '../../../shared/form/rows/rows';
import { everyTitle } from '../../../shared/text/time-text';
import type { Draft } from '../draft/draft';

/** Says when and from where the scenario runs: `Every 15 seconds from eu-west`. */
export function describeSchedule({
  interval,
  regions,
}: Pick<Draft, 'interval' | 'regions'>): string {
  const from = regions.length === 0 ? 'the default region' : regions.join(', ');
  return `${everyTitle(interval)} from ${from}`;
}

/** Counts and names the variables: `3 variables: baseUrl, user, item`. */
export function listVariables(rows: readonly Pick<VariableRow, 'name'>[]): string {
  const names = rows.map(({ name }) => name.trim()).filter((name) => name !== '');
  if (names.length === 0) return 'None';
  return `${countWords(names.length, 'variable')}: ${names.join(', ')}`;
}

/** Lists the values of the section "More settings" that are not defaults. */
export function listMoreChanges(draft: Draft): readonly string[] {
  return [
    ...listAuthChanges(draft.auth),
    ...listConnectionChanges(draft),
    ...(draft.onFailure === 'continue' ? ['Continues after a failed step'] : []),
    ...describeFields(optionsBody(scenarioOptionFields, draft)),
    ...listNamingChanges(draft),
  ];
}
