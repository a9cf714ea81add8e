/**
 * The wall clock of one process of the service. A test can set it wrong and right again at run time. Only the time that
 * JavaScript reads is shifted, not the clock of Temporal's server or of native code.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ShiftedClock {
  /** Settings with which the process uses this clock. */
  readonly environment: Readonly<Record<'NODE_OPTIONS' | 'KEEPWATCH_TEST_CLOCK_FILE', string>>;
  /**
   * Sets by how many milliseconds this clock is ahead of the machine. A negative value sets the clock behind. A change
   * takes effect after a tenth of a second.
   */
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
