/** Tests the filters in the URL of a list. */
import {
  dropUnknown,
  hasFilters,
  isStatusChosen,
  pickFilters,
  toggleStatus,
  withoutFilters,
} from '../../../src/dashboard/shared/list/list-filters';

describe('filters of a list', () => {
  it('filters of a list omit empty values from the URL', () => {
    expect(pickFilters({ q: '  ', group: '', status: 'down' })).toEqual({ status: 'down' });
    expect(hasFilters({ q: ' ', cursor: 'c', tab: 'x' })).toBe(false);
  });

  it('filters of a list ignore values that they do not offer', () => {
    const offered = { state: ['open', 'resolved'], period: ['7d'] };
    const search = { state: 'all', period: '7d', cursor: 'c' };
    expect(dropUnknown(search, offered)).toEqual({ period: '7d', cursor: 'c' });
    expect(dropUnknown({ state: 'open' }, offered)).toEqual({ state: 'open' });
  });

  it('choosing a status filters the list, and choosing the same status again removes the filter', () => {
    expect(toggleStatus({}, 'maintenance')).toBe('maintenance');
    expect(toggleStatus({ status: 'maintenance' }, 'down')).toBe('down');
    expect(toggleStatus({ status: 'down' }, 'down')).toBeUndefined();
  });

  it('filters of a list read several statuses from a URL', () => {
    const search = { status: 'down,degraded' };
    expect(isStatusChosen(search, 'degraded')).toBe(true);
    expect(isStatusChosen(search, 'up')).toBe(false);
    expect(isStatusChosen({}, 'down')).toBe(false);
  });

  it('removing filters of a list returns to the first page', () => {
    expect(Object.keys(withoutFilters(['status']))).toEqual(['status', 'cursor', 'page']);
  });
});
