/**
 * Replaces argon2 in suites that do not test hashing. It implements the same port, without 19 MiB and 30 ms per
 * password. test/platform/passwords.test.ts and the tests with whole services use argon2.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Dependencies } from '../../src/services/ports/dependencies';

function digest(salt: string, password: string): string {
  const sum = createHash('sha256').update(`${salt} ${password}`).digest('base64url');
  return `$cheap$${salt}$${sum}`;
}

export const cheapPasswords: Dependencies['passwords'] = {
  hash: async (password) => digest(randomBytes(8).toString('hex'), password),
  verify: async (stored, password) => {
    const [, , salt = ''] = stored.split('$');
    return stored === digest(salt, password);
  },
};
