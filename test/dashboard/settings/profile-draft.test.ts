/** Tests the draft of a profile in its form. */

import { nameDraft } from '../../../src/dashboard/features/settings/keyed/keyed';
import {
  buildBody,
  createDraft,
  describeProfile,
} from '../../../src/dashboard/features/settings/profiles/profile-draft';
import type { Profile } from '../../../src/dashboard/shared/data/api-types';

const PROFILE: Profile = {
  id: 'prf_01arz3ndektsv4rrffq69g5fav',
  version: 1,
  key: 'shop',
  name: 'Shop',
  set: {
    interval: 30,
    regions: ['eu-west'],
    headers: { 'X-Team': 'shop' },
    tls: { checkHost: false, warnDays: [7] },
    quorum: 2,
    note: null,
  },
  rolloutId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

it('a profile keeps fields that its form does not show', () => {
  const { key, name, set } = PROFILE;
  expect(buildBody(createDraft(PROFILE))).toEqual({ key, name, set });
});

it('a profile sets only the fields that have a value', () => {
  const draft = { ...createDraft(null), ...nameDraft(createDraft(null), 'My shop'), retries: 0 };
  expect(buildBody(draft)).toEqual({ key: 'my-shop', name: 'My shop', set: { retries: 0 } });
  const changed = { ...createDraft(PROFILE), interval: null, warnDays: null, headers: [] };
  expect(buildBody(changed).set).toEqual({
    regions: ['eu-west'],
    tls: { checkHost: false },
    quorum: 2,
    note: null,
  });
});

it('the values of a profile are listed with their units', () => {
  expect(describeProfile(PROFILE)).toBe(
    'Interval 30 s · Regions eu-west · Headers · TLS · Failing regions required 2 · Note none',
  );
  expect(describeProfile({ ...PROFILE, set: {} })).toBe('No values yet');
});
