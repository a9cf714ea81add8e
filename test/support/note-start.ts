/** Records what the suites of a run start, and CPU that is counted for no file. */
import { appendFileSync } from 'node:fs';

type Started = 'service' | 'all-in-one' | 'browser' | 'servers' | 'database' | 'process';

/** Appends one line to the record of the run, if the run has one. */
function note(line: object): void {
  const record = process.env['KEEPWATCH_TEST_RECORD'];
  if (record !== undefined) appendFileSync(record, `${JSON.stringify(line)}\n`);
}

export function noteStart(what: Started): void {
  note({ started: what });
}

/** Records the CPU of processes for which no parent waits. The system adds this CPU to no ancestor. */
export function noteUncountedCpu(uncountedCpuMs: number): void {
  note({ uncountedCpuMs });
}
