import fc from 'fast-check';
import { idFrom, isId, ulidFrom } from '../../src/domain/ids';

const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const randomness = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('ids', () => {
  it('sort by the time of their creation', () => {
    fc.assert(
      fc.property(times, times, randomness, randomness, (a, b, one, two) => {
        fc.pre(a !== b);
        return a < b === ulidFrom(a, one) < ulidFrom(b, two);
      }),
    );
  });

  it('differ when their randomness differs', () => {
    fc.assert(
      fc.property(times, randomness, randomness, (at, one, two) => {
        fc.pre(Buffer.compare(one, two) !== 0);
        return ulidFrom(at, one) !== ulidFrom(at, two);
      }),
    );
  });

  it('name their kind and are recognised by it', () => {
    fc.assert(
      fc.property(times, randomness, (at, random) => {
        const id = idFrom('monitor', at, random);
        return id.length === 30 && isId('monitor', id) && !isId('scenario', id);
      }),
    );
  });

  it('agree with the specification of ULID on time', () => {
    expect(ulidFrom(1469918176385, new Uint8Array(10)).slice(0, 10)).toBe('01aryz6s41');
  });

  it('are not recognised in upper case, too short or with foreign letters', () => {
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
