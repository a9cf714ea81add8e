/** Tests cached copies of the last read values, which are used while the source is unavailable. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../src/platform/errors';
import { createCopies } from '../../src/platform/last-good';

const MINUTE = 60_000;
const DAY = 86_400_000;
const away = () => Promise.reject(new AppError('unavailable', 'The database is away.'));
const hanging = () => new Promise<string>(() => undefined);

function open() {
  const clock = { nowMs: Date.UTC(2026, 0, 5) };
  const copies = createCopies({ now: () => clock.nowMs });
  return { clock, ...copies, lastGood: copies.keep<string | null>() };
}

/** Creates a source. Its values can change, and it counts its reads. */
function sourceOf(values: Record<string, string | null>) {
  const asked: string[] = [];
  let isAway = false;
  const read = (key: string) => async () => {
    asked.push(key);
    return isAway ? away() : (values[key] ?? null);
  };
  const leave = (): void => {
    isAway = true;
  };
  return { asked, values, read, leave };
}

test('while the source is away, each cached value can still be read', async () => {
  const { lastGood } = open();
  await lastGood('one', async () => 'first');
  await lastGood('one', async () => 'second');
  expect(await lastGood('one', away)).toBe('second');
  await expect(lastGood('other', away)).rejects.toThrow('The database is away.');
  expect(await lastGood('one', async () => 'third')).toBe('second');
  expect(await lastGood('one', async () => 'fourth')).toBe('fourth');
});

test('a source that hangs delays no caller and gets one request at a time', async () => {
  const { lastGood } = open();
  await lastGood('page', async () => 'copy');
  await lastGood('page', away);
  let asked = 0;
  const ask = () => {
    asked += 1;
    return hanging();
  };
  expect(await Promise.all([1, 2, 3].map(() => lastGood('page', ask)))).toEqual([
    'copy',
    'copy',
    'copy',
  ]);
  expect(asked).toBe(1);
});

test('an error of a read that is not caused by an unavailable source is passed on', async () => {
  const { lastGood } = open();
  await lastGood('page', async () => 'copy');
  const broken = () => Promise.reject(new TypeError('a mistake of ours'));
  await expect(lastGood('page', broken)).rejects.toThrow('a mistake of ours');
});

test('a value that was deleted while the source was available is not shown once the source is away', async () => {
  const { clock, confirm, lastGood } = open();
  const source = sourceOf({ gone: 'secret', changed: 'before', same: 'same' });
  for (const key of ['gone', 'changed', 'same']) await lastGood(key, source.read(key));
  Object.assign(source.values, { gone: null, changed: 'after' });
  clock.nowMs += MINUTE;
  await confirm();
  source.leave();
  clock.nowMs += MINUTE;
  await expect(lastGood('gone', source.read('gone'))).rejects.toThrow('away');
  expect(await lastGood('changed', source.read('changed'))).toBe('after');
  expect(await lastGood('same', source.read('same'))).toBe('same');
});

test('a cached copy is shown only if it was confirmed shortly before the source went away', async () => {
  const { clock, lastGood } = open();
  await lastGood('page', async () => 'copy');
  clock.nowMs += 2 * MINUTE + 1;
  await expect(lastGood('page', away)).rejects.toThrow('away');
});

test('confirmed copies are shown until the source returns', async () => {
  const { clock, confirm, keep } = open();
  const source = sourceOf({ page: 'before', status: 'up' });
  const [pages, statuses] = [keep<string | null>(), keep<string | null>()];
  await pages('page', source.read('page'));
  await statuses('status', source.read('status'));
  Object.assign(source.values, { page: 'after' });
  for (let minute = 0; minute < 60; minute += 1) {
    clock.nowMs += MINUTE;
    await confirm();
  }
  source.leave();
  for (let day = 0; day < 3; day += 1) {
    clock.nowMs += MINUTE;
    await confirm();
    expect(await pages('page', source.read('page'))).toBe('after');
    expect(await statuses('status', source.read('status'))).toBe('up');
    clock.nowMs += DAY;
  }
});

test('a confirmation round ends with the first read that finds the source away', async () => {
  const { confirm, lastGood } = open();
  const source = sourceOf({ one: '1', two: '2', three: '3' });
  for (const key of ['one', 'two', 'three']) await lastGood(key, source.read(key));
  source.leave();
  source.asked.length = 0;
  await confirm();
  expect(source.asked).toEqual(['one']);
});

test('a copy whose confirmation fails for a reason other than an unavailable source does not affect other copies', async () => {
  const { clock, confirm, lastGood } = open();
  let isBroken = false;
  const broken = async () => {
    if (isBroken) throw new TypeError('a mistake of ours');
    return 'copy';
  };
  await lastGood('broken', broken);
  await lastGood('page', async () => 'copy');
  isBroken = true;
  clock.nowMs += 2 * MINUTE;
  await confirm();
  clock.nowMs += MINUTE;
  expect(await lastGood('page', away)).toBe('copy');
  await expect(lastGood('broken', away)).rejects.toThrow('away');
});

test('reads of missing values do not evict cached copies', async () => {
  const { lastGood } = open();
  await lastGood('page', async () => 'copy');
  for (let at = 0; at < 2_000; at += 1) await lastGood(`made-up-${at}`, async () => null);
  expect(await lastGood('page', away)).toBe('copy');
  await expect(lastGood('made-up-1999', away)).rejects.toThrow('away');
});

test('cached copies that were unused for a day are not refreshed', async () => {
  const { clock, confirm, lastGood } = open();
  const source = sourceOf(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [at, 'x'])));
  for (let at = 0; at < 200; at += 1) await lastGood(`${at}`, source.read(`${at}`));
  await lastGood('0', source.read('0'));
  await lastGood('200', source.read('200'));
  source.asked.length = 0;
  await confirm();
  expect([source.asked.length, source.asked.includes('1')]).toEqual([200, false]);
  clock.nowMs += DAY;
  await lastGood('0', source.read('0'));
  clock.nowMs += 1;
  source.asked.length = 0;
  await confirm();
  expect(source.asked).toEqual(['0']);
});

test('if a later read found a value deleted, a slower earlier read does not bring the value back', async () => {
  const { clock, lastGood } = open();
  const ends: ((value: string) => void)[] = [];
  const slow = lastGood('page', () => new Promise<string>((resolve) => ends.push(resolve)));
  clock.nowMs += 1;
  await lastGood('page', async () => null);
  ends[0]?.('withdrawn');
  expect(await slow).toBe('withdrawn');
  await expect(lastGood('page', away)).rejects.toThrow('away');
});

test('a deleted value does not come back when another read finds the source away', async () => {
  const { keep, lastGood } = open();
  await lastGood('page', async () => 'copy');
  await expect(keep<string>()('heavy', away)).rejects.toThrow('away');
  expect(await lastGood('page', async () => null)).toBeNull();
});

describe('a cached copy that callers share', () => {
  const SECOND = 1_000;

  function openShared() {
    const opened = open();
    return { ...opened, shared: opened.share<string | null>() };
  }

  /** Creates a read that stays pending until the test ends it. */
  function slowRead() {
    const asked: ((value: string) => void)[] = [];
    const read = () => new Promise<string>((resolve) => asked.push(resolve));
    return { asked, read };
  }

  test('a cached copy is read once for all concurrent callers, and not again for seven seconds', async () => {
    const { clock, shared } = openShared();
    const { asked, read } = slowRead();
    const first = [shared('page', read), shared('page', read)];
    expect(asked).toHaveLength(1);
    asked[0]?.('first');
    expect(await Promise.all(first)).toEqual(['first', 'first']);
    clock.nowMs += 7 * SECOND;
    expect(await shared('page', read)).toBe('first');
    expect(asked).toHaveLength(1);
  });

  test('a cached copy that callers share is still returned while it is refreshed after seven seconds', async () => {
    const { clock, shared } = openShared();
    const { asked, read } = slowRead();
    await shared('page', async () => 'first');
    clock.nowMs += 7 * SECOND + 1;
    expect(await Promise.all([shared('page', read), shared('page', read)])).toEqual([
      'first',
      'first',
    ]);
    expect(asked).toHaveLength(1);
    asked[0]?.('second');
    await shared('page', read);
    expect(await shared('page', read)).toBe('second');
  });

  test('cached copies are refreshed in turn, one at a time', async () => {
    const { clock, shared } = openShared();
    const { asked, read } = slowRead();
    const keys = ['one', 'two', 'three'];
    for (const key of keys) await shared(key, async () => 'first');
    clock.nowMs += 7 * SECOND + 1;
    const showAll = () => Promise.all(keys.map((key) => shared(key, read)));
    expect(await showAll()).toEqual(['first', 'first', 'first']);
    expect(await showAll()).toEqual(['first', 'first', 'first']);
    expect(asked).toHaveLength(1);
    asked[0]?.('second');
    await nextTurn();
    expect(await showAll()).toEqual(['second', 'first', 'first']);
    expect(asked).toHaveLength(2);
  });

  test('a cached copy is never older than ten seconds while the source is available', async () => {
    const { clock, shared } = openShared();
    const { asked, read } = slowRead();
    await shared('page', async () => 'first');
    clock.nowMs += 10 * SECOND + 1;
    const later = shared('page', read);
    asked[0]?.('second');
    expect(await later).toBe('second');
  });

  test('a cached copy is returned while the source is away, with one read at a time', async () => {
    const { clock, shared } = openShared();
    await shared('page', async () => 'first');
    clock.nowMs += MINUTE;
    expect(await shared('page', away)).toBe('first');
    clock.nowMs += DAY;
    const { asked, read } = slowRead();
    expect(await Promise.all([shared('page', read), shared('page', read)])).toEqual([
      'first',
      'first',
    ]);
    expect(asked).toHaveLength(1);
    asked[0]?.('second');
    await shared('page', read);
    expect(await shared('page', read)).toBe('second');
  });

  test('a missing value is not cached, so each call reads the value again', async () => {
    const { shared } = openShared();
    await shared('page', async () => null);
    expect(await shared('page', async () => 'written since')).toBe('written since');
  });

  test('a cached copy that callers share does not keep a failed read: the next caller reads the source again', async () => {
    const { shared } = openShared();
    await expect(shared('page', away)).rejects.toThrow('away');
    expect(await shared('page', async () => 'first')).toBe('first');
  });

  test('callers of a cached copy do not wait for a read that began ten seconds ago', async () => {
    const { clock, shared } = openShared();
    const { asked, read } = slowRead();
    const first = shared('page', read);
    clock.nowMs += 10 * SECOND + 1;
    const second = shared('page', read);
    expect(asked).toHaveLength(2);
    asked[1]?.('new');
    expect(await second).toBe('new');
    asked[0]?.('old');
    expect(await first).toBe('old');
    expect(await shared('page', read)).toBe('new');
  });

  test('a cached copy of another version is not returned, and the new value replaces the copy', async () => {
    const { clock, confirm, shared } = openShared();
    const source = sourceOf({ old: 'old', new: 'new' });
    await shared('page', source.read('old'), 1);
    expect(await shared('page', source.read('new'), 2)).toBe('new');
    source.asked.length = 0;
    await confirm();
    expect(source.asked).toEqual(['new']);
    clock.nowMs += 10 * SECOND + 1;
    source.leave();
    expect(await shared('page', source.read('new'), 2)).toBe('new');
    await expect(shared('page', source.read('old'), 1)).rejects.toThrow('away');
  });

  test('a read of a cached copy is never shared by callers that want different versions', async () => {
    const { shared } = openShared();
    const { asked, read } = slowRead();
    const [old, changed] = [shared('page', read, 1), shared('page', read, 2)];
    asked[1]?.('changed');
    asked[0]?.('old');
    expect(await Promise.all([old, changed])).toEqual(['old', 'changed']);
  });
});
