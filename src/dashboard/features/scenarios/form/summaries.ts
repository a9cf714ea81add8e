/** One-line summaries of the folded sections of the scenario form. Pure. */
import type { VariableRow } from '../../../shared/form/rows';
import { everyWords } from '../../../shared/text/time-text';
import type { Draft } from '../draft/draft';

/** Says when and from where the scenario runs: `Every 15 seconds from eu-west`. */
export function sayWhen({ interval, regions }: Pick<Draft, 'interval' | 'regions'>): string {
  const every = everyWords(interval);
  const from = regions.length === 0 ? 'the default region' : regions.join(', ');
  return `${every.charAt(0).toUpperCase()}${every.slice(1)} from ${from}`;
}

/** Counts and names the variables: `3 variables: baseUrl, user, item`. */
export function listVariables(rows: readonly Pick<VariableRow, 'name'>[]): string {
  const names = rows.map(({ name }) => name.trim()).filter((name) => name !== '');
  if (names.length === 0) return 'None';
  return `${names.length === 1 ? '1 variable' : `${names.length} variables`}: ${names.join(', ')}`;
}
