/** Tests a change whose body contains problems that the stored body already has. */
import { monitorBody } from '../../../src/schemas/monitor';
import { readChange } from '../../../src/services/lists/read-change';

it('a new definition with a problem is refused', () => {
  expect(() => readChange(monitorBody, { sent: { name: 'x' }, stored: null })).toThrow(
    expect.objectContaining({
      errors: [expect.objectContaining({ path: 'url', code: 'required' })],
    }),
  );
});

it('a change of a definition is not refused because of an invalid stored value that stays the same', () => {
  const stored = { name: 'x', url: 'http://example.com/', interval: 3 };
  expect(readChange(monitorBody, { sent: { ...stored, name: 'y' }, stored })).toMatchObject({
    name: 'y',
    interval: 3,
  });
});
