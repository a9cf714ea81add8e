/** Tests JSON paths. For an accepted path, the library finds what RFC 9535 defines. Other paths are refused. */
import * as fc from 'fast-check';
import type { JsonValue } from '../../../src/contracts/definition';
import { quoteName, readQuotedName } from '../../../src/domain/assertions/json-path-name';
import {
  findJsonPathProblem,
  parseJsonPath,
} from '../../../src/domain/assertions/json-path-syntax';
import { createTextPool, type TextPool } from '../../../src/text/text-pool';
import table from '../../conformance/json-path-cases.json';
import { anyCharacter } from '../../support/any-character';
import { propertyOptions } from '../../support/property-runs';

let pool: TextPool;
beforeAll(() => {
  pool = createTextPool();
});
afterAll(() => pool.close());

async function find(path: string, document: JsonValue): Promise<readonly JsonValue[]> {
  const parse = parseJsonPath(path);
  if (!parse.ok) throw new Error(parse.problem);
  const tasks = [{ kind: 'path', path, want: 'all' }] as const;
  const [answer] = await pool.run({ text: JSON.stringify(document), tasks });
  if (answer === undefined || !('values' in answer)) throw new Error(JSON.stringify(answer));
  return answer.values;
}

/** Generates odd names of members in JSON: path syntax, quotes, control characters, halves of surrogate pairs. */
const oddName = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 10 }),
  fc.string({
    unit: fc.constantFrom(
      ...'ab1.\\\'"`[]()?@$*#,:;~^%/ \n\r\t\0'.split(''),
      '\u2028',
      'é',
      '👩‍👧',
      '\ud83d',
      '@.x',
      "')]",
    ),
    maxLength: 10,
  }),
  fc.constantFrom('', '__proto__', 'constructor', 'length', '0', '-1', '1:2', '@path', '@root'),
);

/**
 * Returns an object with a property of this name and one other property. Works for every name, for example `__proto__`.
 */
function memberOf(name: string, value: JsonValue, other: string): JsonValue {
  return Object.fromEntries([
    [other, 'other'],
    [name, value],
  ]);
}

const documents = new Map<string, JsonValue>(Object.entries(table.documents));

describe('an accepted path', () => {
  it.each(table.accepted)(
    'the path $path on $document finds what the standard requires',
    async (one) => {
      expect(findJsonPathProblem(one.path)).toBeNull();
      expect(await find(one.path, documents.get(one.document) ?? null)).toEqual(one.values);
    },
  );

  it('an accepted path finds exactly the member with the quoted name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 12 }), async (name) => {
        const path = `$['${name}']`;
        fc.pre(findJsonPathProblem(path) === null);
        expect(await find(path, { other: 1, [name]: 'found' })).toEqual(['found']);
        expect(await find(path, ['a', 'b', 'c'])).toEqual([]);
        expect(await find(path, { other: 'text' })).toEqual([]);
      }),
      propertyOptions(60),
    );
  });
});

describe('a quoted name', () => {
  /**
   * Returns true for a name that paths do not support. It contains half of a surrogate pair, or a character that the
   * library can neither quote nor compare.
   */
  const isBeyondPaths = (name: string): boolean =>
    /\p{Surrogate}/u.test(name) || (/[\u2028\u2029]/.test(name) && /[\p{Cc}()@'"\\]/u.test(name));

  it('a quoted name can be any JSON member, and finds only that member', async () => {
    await fc.assert(
      fc.asyncProperty(oddName, oddName, async (name, other) => {
        // The quoted name is a list of two names. The second name is `\0`, so it must not occur in the JSON.
        fc.pre(name !== other && other !== '\0' && !isBeyondPaths(name));
        const path = `$[${quoteName(name)}]`;
        expect(findJsonPathProblem(path)).toBeNull();
        expect(await find(path, memberOf(name, 'found', other))).toEqual(['found']);
        expect(await find(`$.a${path.slice(1)}[0]`, { a: memberOf(name, ['in'], other) })).toEqual([
          'in',
        ]);
        expect(await find(path, ['a', 'b', 'c'])).toEqual([]);
        expect(await find(path, 'text')).toEqual([]);
      }),
      propertyOptions(100),
    );
  });

  it('a quoted name reads back unchanged, or is refused if no path can contain it', () => {
    fc.assert(
      fc.property(oddName, (name) => {
        const read = readQuotedName(`${quoteName(name)}]`);
        expect(read).toEqual(
          isBeyondPaths(name)
            ? { ok: false, problem: expect.any(String) }
            : { ok: true, name, rest: ']' },
        );
      }),
      propertyOptions(100),
    );
  });
});

describe('a refused path', () => {
  it.each(table.refused)('the path $path is refused with the message “$says”', ({ path, says }) => {
    expect(findJsonPathProblem(path)).toContain(says);
  });

  it('a path with more than 512 characters or more than 50 parts is refused', () => {
    expect(findJsonPathProblem(`$.${'a'.repeat(511)}`)).toMatch(/512 characters/);
    expect(findJsonPathProblem(`$.${'a'.repeat(510)}`)).toBeNull();
    expect(findJsonPathProblem(`$${'.a'.repeat(51)}`)).toMatch(/50 parts/);
  });

  it('the parser refuses every invalid path without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        expect(typeof parseJsonPath(`$${text}`).ok).toBe('boolean');
      }),
      propertyOptions(100),
    );
  });
});
