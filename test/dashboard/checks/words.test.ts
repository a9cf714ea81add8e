/** Tests the column headers of the table of checks. */
import { columnText } from '../../../src/dashboard/features/checks/words';

test('the headers of a list of scenarios say "runs", and the headers of all other lists say "checks"', () => {
  const names = (view: 'checks' | 'monitors' | 'scenarios') =>
    (['beats', 'last', 'interval'] as const).map((column) => columnText(column, view).name);
  expect(names('scenarios')).toEqual(['Last runs', 'Last run', 'Interval']);
  for (const view of ['checks', 'monitors'] as const)
    expect(names(view)).toEqual(['Last checks', 'Last check', 'Interval']);
});
