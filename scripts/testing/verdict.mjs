// Decides how a test run ended, from what failed at first, what failed in the second look, and what is in
// quarantine. Pure: it runs nothing and reads nothing.
import { mayLookAgain } from './groups.mjs';

/** If more files than this fail, it is not by chance: the run fails. */
export const FLAKY_MAX = 2;
/** Marks an assertion that must never fail: slots, secrets, "sent once" (test/support/never.ts). */
export const NEVER = '[never]';

const isQuarantined = (quarantine, { file, test }) =>
  quarantine.some((entry) => entry.file === file && entry.test === test);

/** Files that may run a second time; empty when one failure already decides the run. */
export function filesToLookAt(failures, quarantine) {
  const counted = failures.filter((failure) => !isQuarantined(quarantine, failure));
  const decided = counted.some(
    ({ file, message }) => !mayLookAgain(file) || message.includes(NEVER),
  );
  const files = [...new Set(counted.map(({ file }) => file))];
  return decided || files.length > FLAKY_MAX ? [] : files;
}

/**
 * `hasPassed`, and one line per test: QUARANTINED (failed, but does not count), FLAKY (passed in the second
 * look) or FAILED. `secondFailures` is null when there was no second look.
 */
export function judge(failures, secondFailures, quarantine) {
  const say = (word, { file, test }) => `${word} ${file}: ${test}`;
  const quarantined = failures.filter((failure) => isQuarantined(quarantine, failure));
  const counted = failures.filter((failure) => !isQuarantined(quarantine, failure));
  const failed =
    secondFailures === null
      ? counted
      : secondFailures.filter((failure) => !isQuarantined(quarantine, failure));
  const flaky = secondFailures === null || failed.length > 0 ? [] : counted;
  return {
    hasPassed: failed.length === 0,
    lines: [
      ...quarantined.map((failure) => say('QUARANTINED', failure)),
      ...failed.map((failure) => say('FAILED', failure)),
      ...flaky.map((failure) => say('FLAKY', failure)),
    ],
  };
}
