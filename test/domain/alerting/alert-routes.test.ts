/** Tests alert routes. The first matching route applies, and a route matches if all its conditions match. */
import fc from 'fast-check';
import type { AlertRoute, RouteMatch } from '../../../src/contracts/escalation';
import { findFirstRoute, type Routed } from '../../../src/domain/alerting/alert-routes';
import { propertyOptions } from '../../support/property-runs';

const match = (changes: Partial<RouteMatch> = {}): RouteMatch => ({
  tags: [],
  groups: [],
  type: null,
  ...changes,
});
const route = (changes: Partial<RouteMatch> = {}): AlertRoute => ({
  match: match(changes),
  policy: 'p',
});
const SHOP: Routed = { type: 'monitor', tags: ['eu', 'payments'], groupKey: 'shop/checkout' };

test.each<[string, Partial<RouteMatch>, boolean]>([
  ['nothing', {}, true],
  ['one of its tags', { tags: ['us', 'eu'] }, true],
  ['a tag that it does not have', { tags: ['us'] }, false],
  ['its group', { groups: ['shop/checkout'] }, true],
  ['the group around its own', { groups: ['shop'] }, true],
  ['a group with a similar name', { groups: ['sho', 'shop/check'] }, false],
  ['its type', { type: 'monitor' }, true],
  ['another type', { type: 'heartbeat' }, false],
  ['its tag and another group', { tags: ['eu'], groups: ['mail'] }, false],
  ['its tag, its group and its type', { tags: ['eu'], groups: ['shop'], type: 'monitor' }, true],
])('an alert route that names %s (%j) matches a resource: %s', (_name, changes, isMatch) => {
  expect(findFirstRoute([route(changes)], SHOP)).toBe(isMatch ? 0 : null);
});

const names = fc.subarray(['a', 'b', 'c']);
const anyMatch: fc.Arbitrary<RouteMatch> = fc.record({
  tags: names,
  groups: fc.subarray(['g', 'g/h', 'k']),
  type: fc.constantFrom(null, 'monitor', 'heartbeat', 'scenario'),
});
const anyResource: fc.Arbitrary<Routed> = fc.record({
  tags: names,
  groupKey: fc.constantFrom('g', 'g/h', 'g/i', 'k', 'example.com'),
  type: fc.constantFrom('monitor', 'heartbeat', 'scenario'),
});

test('the first matching alert route applies, and later routes do not matter', () => {
  fc.assert(
    fc.property(fc.array(anyMatch, { maxLength: 6 }), anyResource, (matches, resource) => {
      const routes = matches.map((one) => route(one));
      const alone = routes.map((one) => findFirstRoute([one], resource) === 0);
      const first = alone.indexOf(true);
      expect(findFirstRoute(routes, resource)).toBe(first < 0 ? null : first);
      expect(findFirstRoute([...routes, route()], resource)).toBe(
        first < 0 ? routes.length : first,
      );
    }),
    propertyOptions(100),
  );
});
