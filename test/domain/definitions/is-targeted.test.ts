/** Tests which checks a maintenance window applies to. */
import { isTargeted } from '../../../src/domain/definitions/is-targeted';

const CHECK = { id: 'mon_1', tags: ['web', 'eu'], groupKey: 'shop/checkout' };
const NOTHING = { ids: [], tags: [], groups: [], all: false };

test.each([
  [{ all: true }, true],
  [{ ids: ['mon_1'] }, true],
  [{ tags: ['eu'] }, true],
  [{ groups: ['shop'] }, true],
  [{ groups: ['shop/checkout'] }, true],
  [{ groups: ['sho'] }, false],
  [{ groups: ['shop/checkout/eu'] }, false],
  [{ ids: ['mon_2'], tags: ['we'], groups: [] }, false],
  [{}, false],
])('a maintenance window for %j applies to the check: %s', (target, isFor) => {
  expect(isTargeted({ ...NOTHING, ...target }, CHECK)).toBe(isFor);
});
