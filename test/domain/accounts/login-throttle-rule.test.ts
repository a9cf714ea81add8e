/** Tests the wait after wrong logins. */
import { computeWait } from '../../../src/domain/accounts/login-throttle-rule';

const RULE = { freeTries: 5, firstWaitMs: 1_000, waitMaxMs: 60_000, forgetAfterMs: 900_000 };

test('the first free login attempts do not wait, and then each wait doubles up to the maximum', () => {
  expect([0, 4, 5, 6, 7, 10, 11, 1_000_000].map((tries) => computeWait(RULE, tries))).toEqual([
    0, 0, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
  ]);
});
