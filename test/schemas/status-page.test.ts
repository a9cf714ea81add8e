/** What a status page is where it says nothing: the same in bodies, in files and in what is stored. */
import { PAGE_DEFAULTS } from '../../src/contracts/status-pages';
import { statusPageBody, statusPageEntry } from '../../src/schemas/status-pages/status-page';

test('a body and an entry of a file that say nothing come to the defaults', () => {
  const named = { slug: 'shop', title: 'Shop status' };
  const expected = { key: null, ...named, ...PAGE_DEFAULTS };
  expect(statusPageBody.parse(named)).toEqual(expected);
  expect(statusPageEntry.parse(named)).toEqual(expected);
});
