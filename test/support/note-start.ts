/** Counts what the suites of a run start; the reporter prints the totals. */
import { appendFileSync } from 'node:fs';

type Started = 'service' | 'all-in-one' | 'browser' | 'servers' | 'database' | 'process';

/** Appends one line to the record of the run, if the run has one. */
export function noteStart(what: Started): void {
  const record = process.env['KEEPWATCH_TEST_RECORD'];
  if (record !== undefined) appendFileSync(record, `${JSON.stringify({ started: what })}\n`);
}
