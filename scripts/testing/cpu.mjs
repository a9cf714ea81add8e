// Measures the CPU time of this process and of the processes that it has waited for, and the speed of the machine.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Positions in /proc/self/stat after the process name: user and system time of this process, then of ended children.
 */
const CPU_FIELDS = [11, 12, 13, 14];
const TICKS_PER_SECOND = 100;

/** Returns the CPU seconds so far, including ended children. NaN means that the system does not count them. */
export function cpuSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return CPU_FIELDS.reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

const LOOP_ROUNDS = 40;
const LOOP_TRIES = 3;

/**
 * Returns the CPU milliseconds of a fixed piece of work, the best of three attempts. The budget stores this figure for
 * the machine on which the budget was set. A slower machine gets a proportionally larger budget.
 */
export function measureLoopMs() {
  const text = 'keepwatch '.repeat(10_000);
  const once = () => {
    const before = process.cpuUsage();
    for (let round = 0; round < LOOP_ROUNDS; round += 1) {
      const words = JSON.parse(JSON.stringify(text.split(' ').map((word, at) => ({ word, at }))));
      createHash('sha256')
        .update(
          words
            .map(({ at }) => at)
            .sort()
            .join(),
        )
        .digest();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return Math.min(...Array.from({ length: LOOP_TRIES }, once));
}
