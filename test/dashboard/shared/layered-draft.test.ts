/** Tests drafts of definitions that inherit values of a profile. */

import { MONITOR } from '../../../src/dashboard/features/monitors/form/monitor-draft';
import {
  buildLayeredBody,
  withInherited,
  withOwnChanges,
  withProfile,
} from '../../../src/dashboard/shared/definition/layered-draft';

const SET = {
  interval: 30,
  retries: 2,
  tags: ['shop'],
  headers: { 'X-Team': 'shop', Accept: 'text/html' },
};
const SHOP = { key: 'shop', set: SET };

/** A stored monitor as /v1 returns it. */
const RESPONSE = {
  id: 'mon_1',
  type: 'http',
  name: 'Shop',
  url: 'https://shop.example.com/',
  profile: 'shop',
  interval: 30,
  retries: 1,
  regions: ['eu-west'],
  tags: ['shop'],
  headers: { 'X-Team': 'shop' },
  origin: {
    interval: 'profile:shop',
    retries: 'own',
    regions: 'default',
    tags: 'profile:shop',
    'headers.x-team': 'profile:shop',
    'headers.accept': 'own',
  },
};
const stored = () => MONITOR.toDraft(RESPONSE);
const target = { name: 'Shop', url: 'https://shop.example.com/', profile: 'shop' };

it('a form sends only own fields, and null for own values that are cleared or set to their default', () => {
  expect(buildLayeredBody(MONITOR, stored(), SET)).toEqual({
    ...target,
    retries: null,
    regions: ['eu-west'],
    headers: { accept: null },
  });
});

it('fields that a person changes, and headers that a person removes, become own fields', () => {
  const draft = stored();
  const changed = withOwnChanges(MONITOR, draft, { ...draft, interval: 60, headers: [] });
  expect(changed.own).toEqual(['headers.accept', 'headers.x-team', 'interval', 'retries']);
  expect(buildLayeredBody(MONITOR, changed, SET)).toMatchObject({
    interval: 60,
    headers: { accept: null, 'x-team': null },
  });
});

it('a field that is inherited again shows the value of the profile', () => {
  const draft = withInherited(MONITOR, stored(), { set: SET, field: 'retries' });
  expect(draft).toMatchObject({ retries: 2, own: ['headers.accept'] });
  const all = withInherited(MONITOR, draft, { set: SET, field: 'headers' });
  expect(all.headers).toMatchObject([{ name: 'X-Team' }, { name: 'Accept' }]);
  expect(buildLayeredBody(MONITOR, all, SET)).toEqual({
    ...target,
    regions: ['eu-west'],
    headers: {},
  });
});

it('choosing another profile keeps own values, and choosing none keeps all values', () => {
  const other = { key: 'other', set: { interval: 300, group: 'g' } };
  const moved = withProfile(MONITOR, stored(), { profile: other, set: SET });
  expect(moved).toMatchObject({
    profile: 'other',
    interval: 300,
    group: 'g',
    tags: [],
  });
  const free = withProfile(MONITOR, moved, { profile: null, set: other.set });
  expect(free).toMatchObject({ profile: '', own: null, interval: 300, group: 'g' });
  expect(buildLayeredBody(MONITOR, free, {})).toMatchObject({ profile: null, interval: 300 });
});

it('when a monitor gets its first profile, values that differ from the default are kept', () => {
  const { profile: _profile, origin: _origin, ...plain } = RESPONSE;
  const draft = MONITOR.toDraft({ ...plain, origin: null, profile: null, tags: [] });
  expect(draft.own).toBeNull();
  const chosen = withProfile(MONITOR, draft, { profile: SHOP, set: {} });
  expect(chosen).toMatchObject({ interval: 30, retries: 2, tags: ['shop'] });
  expect(chosen.own).toEqual(['headers.x-team', 'interval', 'regions']);
});

it('a new monitor begins with the values of the profile', () => {
  const draft = withProfile(MONITOR, MONITOR.toDraft({ url: target.url }), {
    profile: SHOP,
    set: {},
  });
  expect(draft).toMatchObject({ interval: 30, retries: 2, own: [] });
  expect(buildLayeredBody(MONITOR, { ...draft, name: 'Shop' }, SET)).toEqual({
    ...target,
    headers: {},
  });
});
