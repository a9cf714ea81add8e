/** Tests that the table of faults fits a terminal of 80 columns, and that no figure is missing in it. */
import { type FaultRow, renderReport, renderTable } from './report';

function rowOf(fault: string, times: number): FaultRow {
  const [due, measured, gaps, lost, doubled, falseDowns] = [12, 11, 10, 9, 8, 7].map(
    (figure) => figure * times,
  ) as [number, number, number, number, number, number];
  return {
    fault,
    seconds: 30,
    slots: { due, measured, gaps, reasons: { missed: gaps }, lost, doubled, falseDowns },
    alerts: { owed: 6 * times, sent: 5 * times, doubled: 4 * times, false: 3 * times },
    normalMs: 2_000 * times,
    alertedMs: 1_000 * times,
  };
}

test('a line of the fault report lists slots, false downs, alerts and the time to recover', () => {
  const [heads, row] = renderTable([rowOf('kill-api', 1)]).split('\n');
  const words = 'fault due meas gap lost dbl down owed sent dbl false normal alerted';
  expect(heads?.split(/ +/)).toEqual(words.split(' '));
  expect(row?.split(/ +/)).toEqual('kill-api 12 11 10 9 8 7 6 5 4 3 2 s 1 s'.split(' '));
});

test.each([1, 100, 1_000])('lines of the fault report fit 80 columns: figures × %i', (times) => {
  const rows = ['clock-behind-orchestrator', 'kill-api'].map((fault) => rowOf(fault, times));
  const report = renderReport(rows).split('\n');
  for (const line of report) expect(line.length).toBeLessThanOrEqual(80);
  const lengths = renderTable(rows)
    .split('\n')
    .map(({ length }) => length);
  expect(new Set(lengths).size).toBe(1);
  const figures = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((figure) => String(figure * times));
  for (const line of report.slice(1, 3)) expect(line.match(/\d+/g)).toEqual(figures);
});
