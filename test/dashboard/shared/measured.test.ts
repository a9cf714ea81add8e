/** Tests the measurements of a check, as pages show them. */
import {
  actualText,
  bodyText,
  conditionText,
  listPhases,
  sizeText,
  valueText,
} from '../../../src/dashboard/shared/results/measured';

describe('the phases of a request', () => {
  it('the phases of a request fill the bar in proportion to their length, and missing phases are left out', () => {
    const timings = {
      dnsMs: 10,
      connectMs: 30,
      tlsMs: null,
      ttfbMs: 60,
      downloadMs: 0,
      totalMs: 105,
    };
    expect(listPhases(timings).map(({ ms, percent }) => [ms, percent])).toEqual([
      [10, 10],
      [30, 30],
      [null, 0],
      [60, 60],
      [0, 0],
    ]);
  });

  it('the phases of a request leave the bar empty if all are zero', () => {
    const timings = { dnsMs: 0, connectMs: 0, tlsMs: null, ttfbMs: 0, downloadMs: 0, totalMs: 0 };
    expect(listPhases(timings).every(({ percent }) => percent === 0)).toBe(true);
  });
});

describe('values', () => {
  it('text is shown without added quotes, null as a dash, and any other value as JSON', () => {
    expect(['a "b"', 5, true, null, { a: [1] }].map(valueText)).toEqual([
      'a "b"',
      '5',
      'true',
      '–',
      '{"a":[1]}',
    ]);
  });

  it('an assertion in a result is described by its actual value and its comparison', () => {
    const outcome = { severity: 'fail', ok: true, actual: 1, expected: 1, message: '' } as const;
    expect(
      conditionText({ ...outcome, type: 'jsonPath', target: '$.a', operator: 'lessThanOrEqual' }),
    ).toBe('JSON $.a is at most');
    expect(conditionText({ ...outcome, type: 'status', target: null, operator: 'equals' })).toBe(
      'status equals',
    );
  });

  it('values that are missing have a reason without the error code', () => {
    const given = { severity: 'fail', expected: 1, type: 'jsonPath', target: '$.a' } as const;
    const missing = { ...given, operator: 'equals', ok: false, actual: null } as const;
    const message = 'Expected $.a to equal 1: nothing was found (path_not_found).';
    expect(actualText({ ...missing, message })).toBe('nothing was found');
    expect(actualText({ ...missing, message: 'No JSON.' })).toBe('No JSON.');
    expect(actualText({ ...missing, message, actual: 0 })).toBe('0');
    expect(actualText({ ...missing, message: '', ok: true })).toBe('–');
  });
});

describe('bodies', () => {
  it('bodies are indented if they are JSON, and shown unchanged otherwise', () => {
    expect(bodyText('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(bodyText('{"a":')).toBe('{"a":');
    expect(bodyText('12345678901234567890')).toBe('12345678901234567890');
  });

  it('bodies show their size in a suitable unit', () => {
    expect([12, 3_400, 2_000_000].map(sizeText)).toEqual(['12 B', '3.4 kB', '2.0 MB']);
  });
});
