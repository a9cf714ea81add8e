/**
 * The wall clock of one process of the service, which can be set wrong and right again while it runs. Only
 * what JavaScript reads is shifted: not the clock of Temporal's server, nor that of native code.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ShiftedClock {
  /** Settings of the process. */
  readonly environment: Readonly<Record<'NODE_OPTIONS' | 'KEEPWATCH_TEST_CLOCK_FILE', string>>;
  /** How far it is ahead of the machine's, from a tenth of a second later; behind when negative. */
  readonly shift: (byMs: number) => void;
  readonly remove: () => void;
}

const PRELOADED = join(__dirname, 'step-clock.cjs');

export function createShiftedClock(): ShiftedClock {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-clock-'));
  const file = join(folder, 'offset-ms');
  const given = process.env['NODE_OPTIONS'] ?? '';
  return {
    environment: {
      NODE_OPTIONS: `${given} --require ${JSON.stringify(PRELOADED)}`.trim(),
      KEEPWATCH_TEST_CLOCK_FILE: file,
    },
    shift: (byMs) => writeFileSync(file, String(byMs)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
