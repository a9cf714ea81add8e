/** Tests that the defaults of a status page are the same in bodies, in files and in stored pages. */
import { PAGE_DEFAULTS } from '../../src/contracts/status-pages';
import { statusPageBody, statusPageEntry } from '../../src/schemas/status-pages/status-page';

test('a status page in a request body and in a file gets the same defaults', () => {
  const named = { slug: 'shop', title: 'Shop status' };
  const expected = { key: null, ...named, ...PAGE_DEFAULTS };
  expect(statusPageBody.parse(named)).toEqual(expected);
  expect(statusPageEntry.parse(named)).toEqual(expected);
});
