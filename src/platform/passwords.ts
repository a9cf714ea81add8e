/** Password hashing with argon2id, off the event loop. It keeps no password and writes no log. */
import { hash, verify } from '@node-rs/argon2';

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** PHC strings, so that stored hashes stay readable when the parameters change. */
export const argon2Passwords = {
  hash: (password: string): Promise<string> => hash(password, PARAMETERS),
  verify: (phc: string, password: string): Promise<boolean> => verify(phc, password),
};
