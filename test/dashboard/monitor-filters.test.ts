/** What the address of the list of monitors asks the service for. */
import {
  filterOfStatus,
  filtersOf,
  isStatusChosen,
  listPath,
  toggleStatus,
} from '../../src/dashboard/features/monitors/filters';

describe('filters of the list of monitors', () => {
  it('asks for a page with its bars and for every filter of the address', () => {
    const search = { q: 'shop', group: 'a/b', tag: 'eu', region: 'r1', cursor: 'c', other: 'x' };
    expect(listPath(search)).toBe(
      '/v1/monitors?q=shop&group=a%2Fb&tag=eu&region=r1&limit=50&include=recent&cursor=c',
    );
  });

  it('leaves out filters that hold nothing', () => {
    expect(filtersOf({ q: '  ', group: '', health: 'down' })).toEqual({ health: 'down' });
  });

  it('narrows to a status and, pressed again, shows everything', () => {
    const chosen = toggleStatus({}, 'down');
    expect(chosen).toEqual({ health: 'down', state: 'active' });
    expect(isStatusChosen({ health: 'down', state: 'active' }, 'down')).toBe(true);
    expect(toggleStatus({ health: 'down', state: 'active' }, 'down')).toEqual({
      health: undefined,
      state: undefined,
    });
  });

  it('takes one status at a time', () => {
    expect(toggleStatus({ health: 'down', state: 'active' }, 'paused')).toEqual({
      health: undefined,
      state: 'paused',
    });
    expect(isStatusChosen({ state: 'paused' }, 'paused')).toBe(true);
    expect(isStatusChosen({ state: 'paused' }, 'down')).toBe(false);
  });

  it('knows that the service can not be asked for those in maintenance', () => {
    expect(filterOfStatus('maintenance')).toBeNull();
    expect(isStatusChosen({}, 'maintenance')).toBe(false);
  });
});
