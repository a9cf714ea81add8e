import { hash } from '@node-rs/argon2';
import { AppError } from '../../src/platform/errors';
import { argon2Passwords } from '../../src/platform/passwords';

const PASSWORD = 'a long password for the tests';

it('a password is stored as argon2id with a new salt each time', async () => {
  const [first, second] = await Promise.all([
    argon2Passwords.hash(PASSWORD),
    argon2Passwords.hash(PASSWORD),
  ]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]+\$[^$]+$/);
  expect(second).not.toBe(first);
  expect(first).not.toContain(PASSWORD);
});

it('only the password that was hashed is accepted', async () => {
  const stored = await argon2Passwords.hash(PASSWORD);
  expect(await argon2Passwords.verify(stored, PASSWORD)).toBe(true);
  expect(await argon2Passwords.verify(stored, `${PASSWORD} `)).toBe(false);
});

it('a password that was hashed with other parameters is still accepted', async () => {
  const older = await hash(PASSWORD, { memoryCost: 4_096, timeCost: 3, parallelism: 1 });
  expect(await argon2Passwords.verify(older, PASSWORD)).toBe(true);
});

it('a password check is refused with the code rate_limited if 32 others are waiting', async () => {
  const stored = await hash(PASSWORD, { memoryCost: 64, timeCost: 1, parallelism: 1 });
  const verified = Array.from({ length: 33 }, () => argon2Passwords.verify(stored, PASSWORD));
  const answers = await Promise.allSettled(verified);
  expect(answers.slice(0, 32)).toEqual(
    Array.from({ length: 32 }, () => ({ status: 'fulfilled', value: true })),
  );
  const [refused] = answers.slice(32);
  const reason: unknown = refused?.status === 'rejected' ? refused.reason : undefined;
  expect(reason).toBeInstanceOf(AppError);
  expect(reason).toMatchObject({ code: 'rate_limited' });
});
