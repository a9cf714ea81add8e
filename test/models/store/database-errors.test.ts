/** Tests which errors callers get for errors of the driver. */
import { translateError } from '../../../src/models/store/database-errors';

function errorNamed(name: string): Error {
  return Object.assign(new Error('of the driver'), { name });
}

test('an unavailable database is distinguished from a pool without a free connection', () => {
  expect(translateError(errorNamed('MongoServerSelectionError'))).toMatchObject({
    code: 'unavailable',
    message: 'The database does not respond. Try again soon.',
  });
  expect(translateError(errorNamed('MongoWaitQueueTimeoutError'))).toMatchObject({
    code: 'unavailable',
    message: 'Too many requests need the database at the same time. Try again soon.',
    retryAfterSeconds: 5,
  });
});

test('an error of the database driver that is not about availability is passed on unchanged', () => {
  const error = errorNamed('TypeError');
  expect(translateError(error)).toBe(error);
});
