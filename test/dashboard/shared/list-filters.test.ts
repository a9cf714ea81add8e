/** What the address of a list says of its filters. */
import {
  hasFilters,
  isStatusChosen,
  pickFilters,
  toggleStatus,
  withoutFilters,
} from '../../../src/dashboard/shared/list/list-filters';

describe('filters of a list', () => {
  it('leaves out filters that hold nothing', () => {
    expect(pickFilters({ q: '  ', group: '', status: 'down' })).toEqual({ status: 'down' });
    expect(hasFilters({ q: ' ', cursor: 'c', tab: 'x' })).toBe(false);
  });

  it('narrows to a status, one at a time, and shows everything when it is pressed again', () => {
    expect(toggleStatus({}, 'maintenance')).toBe('maintenance');
    expect(toggleStatus({ status: 'maintenance' }, 'down')).toBe('down');
    expect(toggleStatus({ status: 'down' }, 'down')).toBeUndefined();
  });

  it('knows each status that an address with several names', () => {
    const search = { status: 'down,degraded' };
    expect(isStatusChosen(search, 'degraded')).toBe(true);
    expect(isStatusChosen(search, 'up')).toBe(false);
    expect(isStatusChosen({}, 'down')).toBe(false);
  });

  it('begins with the first page when filters are taken out', () => {
    expect(Object.keys(withoutFilters(['status']))).toEqual(['status', 'cursor', 'page']);
  });
});
