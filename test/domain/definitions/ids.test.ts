import fc from 'fast-check';
import { buildId, buildUlid, createIdMaker, isId } from '../../../src/domain/definitions/ids';
import { propertyOptions } from '../../support/property-runs';

const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const randomness = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('ids', () => {
  it('ids sort by the time of their creation', () => {
    fc.assert(
      fc.property(times, times, randomness, randomness, (a, b, one, two) => {
        fc.pre(a !== b);
        return a < b === buildUlid(a, one) < buildUlid(b, two);
      }),
      propertyOptions(100),
    );
  });

  it('ids differ if their random parts differ', () => {
    fc.assert(
      fc.property(times, randomness, randomness, (at, one, two) => {
        fc.pre(Buffer.compare(one, two) !== 0);
        return buildUlid(at, one) !== buildUlid(at, two);
      }),
      propertyOptions(100),
    );
  });

  it('ids of one generator sort in order of creation, even within one millisecond', () => {
    const carrying = fc.constantFrom(0, 1, 254, 255).map((byte) => {
      const bytes = new Uint8Array(10).fill(255);
      bytes[0] = 7;
      bytes[9] = byte;
      return bytes;
    });
    const steps = fc.array(fc.constantFrom(0, 0, 0, 1), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(times, steps, fc.oneof(randomness, carrying), (startMs, moves, random) => {
        fc.pre(startMs + moves.length < 2 ** 48 && (random[0] ?? 0) < 255);
        let nowMs = startMs;
        const newId = createIdMaker(
          () => nowMs,
          () => random,
        );
        const made = moves.map((ms) => {
          nowMs += ms;
          return newId('incident');
        });
        expect(made.toSorted()).toEqual(made);
        expect(new Set(made).size).toBe(made.length);
      }),
      propertyOptions(100),
    );
  });

  it('ids contain their kind, and are valid only for that kind', () => {
    fc.assert(
      fc.property(times, randomness, (at, random) => {
        const id = buildId('monitor', at, random);
        return id.length === 30 && isId('monitor', id) && !isId('scenario', id);
      }),
      propertyOptions(100),
    );
  });

  it('ids encode the time as the ULID specification says', () => {
    expect(buildUlid(1469918176385, new Uint8Array(10)).slice(0, 10)).toBe('01aryz6s41');
  });

  it('ids are invalid when too short, in upper case or with letters outside the alphabet', () => {
    for (const text of [
      'mon_',
      'mon_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'mon_81arz3ndektsv4rrffq69g5fav',
      'mon_01arz3ndektsv4rrffq69g5fau',
    ]) {
      expect(isId('monitor', text)).toBe(false);
    }
  });
});
