// Decides the result of a test run from the failures of the first run, the failures of the second run, and the
// quarantine. Pure: it runs nothing and reads nothing.
import { mayRunAgain } from './groups.mjs';

/** If more files than this fail, the cause is not chance, so the whole run fails. */
export const FLAKY_MAX = 2;
/**
 * Marks an assertion that must not fail even by chance, such as one about lost slots, leaked secrets or repeated alerts
 * (test/support/never.ts).
 */
export const NEVER = '[never]';

const isQuarantined = (quarantine, { file, test }) =>
  quarantine.some((entry) => entry.file === file && entry.test === test);

/** Returns the files that may run a second time. Empty if one failure already decides the result. */
export function filesToRunAgain(failures, quarantine) {
  const counted = failures.filter((failure) => !isQuarantined(quarantine, failure));
  const decided = counted.some(
    ({ file, message }) => !mayRunAgain(file) || message.includes(NEVER),
  );
  const files = [...new Set(counted.map(({ file }) => file))];
  return decided || files.length > FLAKY_MAX ? [] : files;
}

/**
 * Returns `hasPassed`, and one line per test: QUARANTINED (failed, but does not count), FLAKY (passed in the second
 * run) or FAILED. `secondFailures` is null if there was no second run.
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
