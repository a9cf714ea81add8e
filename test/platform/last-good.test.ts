/** Copies of what was read last, while the source is away. */
import { AppError } from '../../src/platform/errors';
import { keepLastGood } from '../../src/platform/last-good';

const away = () => Promise.reject(new AppError('unavailable', 'The database is away.'));
const hanging = () => new Promise<string>(() => undefined);

test('while the source is away each key has what was read of it last', async () => {
  const lastGood = keepLastGood<string>();
  await lastGood('one', async () => 'first');
  await lastGood('one', async () => 'second');
  expect(await lastGood('one', away)).toBe('second');
  await expect(lastGood('other', away)).rejects.toThrow('The database is away.');
  expect(await lastGood('one', async () => 'third')).toBe('second');
  expect(await lastGood('one', async () => 'fourth')).toBe('fourth');
});

test('a source that hangs delays nobody once it is known to be away, and is asked once at a time', async () => {
  const lastGood = keepLastGood<string>();
  await lastGood('page', async () => 'copy');
  await lastGood('page', away);
  let asked = 0;
  const ask = () => {
    asked += 1;
    return hanging();
  };
  expect(await Promise.all([1, 2, 3].map(() => lastGood('page', ask)))).toEqual([
    'copy',
    'copy',
    'copy',
  ]);
  expect(asked).toBe(1);
});

test('an error that is not of the source is told', async () => {
  const lastGood = keepLastGood<string>();
  await lastGood('page', async () => 'copy');
  const broken = () => Promise.reject(new TypeError('a mistake of ours'));
  await expect(lastGood('page', broken)).rejects.toThrow('a mistake of ours');
});

test('nothing is a value like any other: what is gone stays gone', async () => {
  const lastGood = keepLastGood<string | null>();
  await lastGood('page', async () => 'copy');
  await lastGood('page', async () => null);
  expect(await lastGood('page', away)).toBe(null);
});
