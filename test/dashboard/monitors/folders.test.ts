/** Folders of the list of monitors, and what bulk actions say. */
import { bulkSentence } from '../../../src/dashboard/features/monitors/list/bulk';
import { foldersOf } from '../../../src/dashboard/features/monitors/list/folders';
import { pauseBody } from '../../../src/dashboard/shared/actions/pause-body';
import type { ListedMonitor, Overview } from '../../../src/dashboard/shared/data/api-types';

type Parts = Pick<ListedMonitor, 'id' | 'groupKey' | 'status'>;

function isMonitor(parts: Parts): parts is ListedMonitor {
  return parts.id !== '';
}

function monitor(id: string, groupKey: string, status: ListedMonitor['status']): ListedMonitor {
  const parts: Parts = { id, groupKey, status };
  if (!isMonitor(parts)) throw new Error('A monitor needs an id.');
  return parts;
}

const NONE = { up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, pending: 0, unknown: 0 };

describe('folders of a page of monitors', () => {
  it('are sorted by name and keep the order of their monitors', () => {
    const page = [
      monitor('1', 'shop', 'up'),
      monitor('2', 'api', 'up'),
      monitor('3', 'shop', 'up'),
    ];
    const folders = foldersOf(page, []);
    expect(folders.map(({ groupKey }) => groupKey)).toEqual(['api', 'shop']);
    expect(folders[1]?.monitors.map(({ id }) => id)).toEqual(['1', '3']);
  });

  it('tell of the whole folder, of which the page may hold a part', () => {
    const whole: Overview['groups'] = [
      { groupKey: 'shop', total: 70, byStatus: { ...NONE, up: 68, down: 1, paused: 1 } },
    ];
    const [folder] = foldersOf([monitor('1', 'shop', 'up')], whole);
    expect(folder).toMatchObject({ worst: 'down', up: 68, total: 70 });
  });

  it('are counted from the page while nothing else is known', () => {
    const [folder] = foldersOf([monitor('1', 'shop', 'up'), monitor('2', 'shop', 'degraded')], []);
    expect(folder).toMatchObject({ worst: 'degraded', up: 1, total: 2 });
  });
});

describe('the outcome of a bulk action', () => {
  it('says how many were changed', () => {
    const outcome = { succeeded: 2, failed: 0, data: [] };
    expect(bulkSentence(outcome, 'paused')).toBe('2 monitors paused.');
  });

  it('says why some were not', () => {
    const outcome = {
      succeeded: 1,
      failed: 1,
      data: [
        { id: 'a', ok: true },
        { id: 'b', ok: false, code: 'not_found', detail: 'There is no such monitor.' },
      ],
    };
    expect(bulkSentence(outcome, 'deleted')).toBe(
      '1 monitor deleted. 1 failed: There is no such monitor.',
    );
  });

  it('pauses until a time, or until somebody resumes', () => {
    const { until = '' } = pauseBody(30);
    const minutes = (Date.parse(until) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(29.9);
    expect(minutes).toBeLessThanOrEqual(30);
    expect(pauseBody(null)).toEqual({});
  });
});
