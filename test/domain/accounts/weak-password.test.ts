/** Tests that long passwords that attackers guess first are recognised. */
import { isCommonPassword } from '../../../src/domain/accounts/weak-password';

test.each([
  'aaaaaaaaaaaa',
  '123456789012',
  '1234567890123',
  '098765432109',
  'abcdefghijkl',
  'qwertyuiop123',
  'qwertyuiopasdfgh',
  'passwordpassword',
  'Password1234',
  'P@ssw0rd2026!',
  '!!!password!!!',
  'administrator',
  'Administrator1!',
  'welcome12345',
  'letmein12345',
  'iloveyou1234',
  'abc123abc123',
  'adminadmin12',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  'changeme1234',
  'Summer2026!!',
  'keepwatch2026',
  'correcthorsebatterystaple',
  '12345612345678',
])('the password %s is weak', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  'a-long-password-for-tests',
  'a long password for the tests',
  'choose-a-long-one-please',
  'correct horse battery cork',
  'tRq9-vLx2-pWz7',
  'the summer of 1998 in Rome',
  'my dog ate 7 monkeys',
  'grün und blau und rot',
  'Zvxq4u1mkP0w',
])('the password %s is not weak', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});
