/**
 * Tests the layers of definitions: own values, profile, defaults.
 *
 * Covers:
 * - domain/definitions/own-fields
 */

import fc from 'fast-check';
import {
  composeFields,
  type Fields,
  findOrigins,
  type LayerRules,
  listFieldNames,
  pickOwn,
} from '../../../src/domain/definitions/layers';
import {
  readOwn,
  readPatchedOwn,
  readReplacingOwn,
} from '../../../src/domain/definitions/own-fields';
import { HEADER_MASK } from '../../../src/domain/secrets/sensitive-headers';
import { unmaskHeaders } from '../../../src/services/profiles/unmask-headers';
import { propertyOptions } from '../../support/property-runs';

const DEFAULTS: Fields = { interval: 60, tags: [], group: null, headers: {}, variables: {} };
const INHERITABLE = new Set(Object.keys(DEFAULTS));
const RULES: LayerRules = {
  inheritable: INHERITABLE,
  isSame: (field, one, other) =>
    JSON.stringify(one ?? DEFAULTS[field]) === JSON.stringify(other ?? DEFAULTS[field]),
};

/** Returns the effective definition with its defaults, as a response shows it. */
function present(fields: Fields): Fields {
  const stated = Object.entries(fields).filter(([, value]) => value !== null);
  return { ...DEFAULTS, ...Object.fromEntries(stated) };
}

/** Generates headers whose names differ in more than their case. */
const headersArbitrary = (value: fc.Arbitrary<string | null>) =>
  fc.dictionary(fc.constantFrom('A', 'b', 'X-C'), value, { maxKeys: 3 });
const text = fc.constantFrom('1', '2', '3');

const valuesArbitrary = <Value>(cleared: fc.Arbitrary<Value>) => ({
  interval: fc.oneof(fc.constantFrom(10, 30, 60), cleared),
  tags: fc.oneof(fc.subarray(['x', 'y']), cleared),
  group: fc.oneof(text, cleared),
});
const setArbitrary = fc.record(
  {
    interval: fc.constantFrom(10, 30, 60),
    tags: fc.subarray(['x', 'y']),
    group: text,
    headers: headersArbitrary(text),
    variables: fc.dictionary(fc.constantFrom('v', 'V'), text, { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);
const ownArbitrary = fc.record(
  {
    ...valuesArbitrary(fc.constant(null)),
    headers: headersArbitrary(fc.oneof(text, fc.constant(null))),
    variables: fc.dictionary(fc.constantFrom('v', 'V'), fc.oneof(text, fc.constant(null)), {
      maxKeys: 2,
    }),
  },
  { requiredKeys: [] },
);

/**
 * Composes a definition from its own values and a profile. Returns what a response shows, and the names of its own
 * fields.
 */
function compose(own: Fields, set: Fields) {
  const sent = readOwn(own, set);
  return {
    view: present(composeFields({ ...sent, name: 'n' }, set, RULES)),
    own: listFieldNames(sent, RULES),
  };
}

type Stored = ReturnType<typeof compose>;

const replaced = (
  sent: Fields,
  set: Fields,
  before: Stored & { isSameProfile: boolean },
): Stored => {
  const own = readReplacingOwn(sent, { set }, { rules: RULES, before });
  return { view: present(composeFields(own, set, RULES)), own: listFieldNames(own, RULES) };
};

it("each field has the resource's own value, else the value of the profile, else the default", () => {
  fc.assert(
    fc.property(ownArbitrary, setArbitrary, (own, set) => {
      const { view } = compose(own, set);
      const given: Fields = own;
      const layer: Fields = set;
      for (const field of ['interval', 'tags', 'group']) {
        const first = given[field] === undefined ? layer[field] : given[field];
        expect(view[field]).toEqual(first ?? DEFAULTS[field]);
      }
    }),
    propertyOptions(200),
  );
});

it('headers of profile and monitor are merged by name in any letter case, and null clears a header', () => {
  const set = { headers: { 'X-Team': 'shop', Accept: 'text/html' }, variables: { v: '1' } };
  const own = { headers: { 'x-team': null, ACCEPT: '*/*', Own: '1' }, variables: { V: '2' } };
  expect(compose(own, set)).toEqual({
    view: {
      ...DEFAULTS,
      name: 'n',
      headers: { ACCEPT: '*/*', Own: '1' },
      variables: { v: '1', V: '2' },
    },
    own: ['headers.accept', 'headers.own', 'headers.x-team', 'variables.V'],
  });
  expect(compose({ headers: null }, set).view['headers']).toEqual({});
});

it('a GET response that is sent back changes nothing', () => {
  fc.assert(
    fc.property(ownArbitrary, setArbitrary, (own, set) => {
      const stored = compose(own, set);
      expect(replaced(stored.view, set, { ...stored, isSameProfile: true })).toEqual(stored);
    }),
    propertyOptions(200),
  );
});

it('a GET response that is sent back does not undo a later change of the profile', () => {
  fc.assert(
    fc.property(ownArbitrary, setArbitrary, setArbitrary, (own, before, after) => {
      const stored = compose(own, before);
      const sentBack = replaced(stored.view, after, { ...stored, isSameProfile: true });
      const { view } = compose(own, after);
      for (const field of ['interval', 'tags', 'group'])
        expect(sentBack.view[field]).toEqual(view[field]);
    }),
    propertyOptions(200),
  );
});

it('a body that names another profile keeps every own value', () => {
  fc.assert(
    fc.property(ownArbitrary, setArbitrary, setArbitrary, (own, before, after) => {
      const stored = compose(own, before);
      const { view } = replaced(stored.view, after, { ...stored, isSameProfile: false });
      for (const field of ['interval', 'tags', 'group'])
        expect(view[field]).toEqual(stored.view[field]);
      expect(view).toMatchObject({ headers: stored.view['headers'] });
    }),
    propertyOptions(200),
  );
});

it('own fields that are written to a file and applied change nothing', () => {
  fc.assert(
    fc.property(ownArbitrary, setArbitrary, (own, set) => {
      const stored = compose(own, set);
      expect(compose(pickOwn(stored, RULES), set)).toEqual(stored);
    }),
    propertyOptions(200),
  );
});

it('patched fields become own fields, and so do fields that differ from the default when the first profile is set', () => {
  const merged = { ...DEFAULTS, name: 'n', interval: 30, group: 'g', tags: ['t'] };
  const set = { interval: 10, tags: ['p'], group: 'p', headers: { A: '1', B: '2' } };
  const first = readPatchedOwn({ merged, patch: { profile: 'p', tags: ['t'] }, set }, null, RULES);
  expect(first).toEqual({ name: 'n', interval: 30, group: 'g', tags: ['t'] });
  const before = { view: {}, own: ['group', 'headers.a'] };
  const patch = { interval: null, headers: { b: null, C: '3' } };
  const view = { ...DEFAULTS, name: 'n', group: 'g', headers: { A: 'own', C: '3' } };
  const own = readPatchedOwn({ merged: view, patch, set }, before, RULES);
  expect(own).toEqual({
    name: 'n',
    interval: 60,
    group: 'g',
    headers: { A: 'own', b: null, C: '3' },
  });
});

it('each field shows whether its value is own, from the profile, or the default', () => {
  const origins = findOrigins(INHERITABLE, {
    key: 'shop',
    own: ['group', 'headers.a'],
    inherited: ['headers.b', 'interval'],
  });
  expect(origins).toEqual({
    group: 'own',
    'headers.a': 'own',
    'headers.b': 'profile:shop',
    interval: 'profile:shop',
    tags: 'default',
    variables: 'default',
  });
});

it('a body with a shorthand for an assertion has own assertions', () => {
  expect(readOwn({ expectedStatus: 204 }, {})).toEqual({ expectedStatus: 204, assertions: [] });
});

it('a masked header is read as the stored value of the same name', () => {
  const stored = { headers: { Authorization: 'secret' } };
  const sent = { headers: { authorization: HEADER_MASK, 'X-Key': HEADER_MASK } };
  expect(unmaskHeaders(sent, stored)).toEqual({
    headers: { authorization: 'secret', 'X-Key': HEADER_MASK },
  });
});
