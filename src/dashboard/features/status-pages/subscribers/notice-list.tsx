/** The latest notices to a page's subscribers, with the number of messages sent, pending and failed. */
import { Text } from '@mantine/core';
import type { Page, StatusPageNotice } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { Unread } from '../../../shared/loading/unread';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';

const SHOWN_MAX = 10;
const POLL_MS = 10_000;

export function NoticeList({ pageId }: { readonly pageId: string }) {
  const path = `/v1/status-pages/${pageId}/notices?limit=${SHOWN_MAX}`;
  const list = useRead<Page<StatusPageNotice>>(path, { refetchInterval: POLL_MS });
  const { data } = list;
  if (data === undefined) return <Unread of={list} shape={null} />;
  if (data.data.length === 0)
    return <Text c="dimmed">Nothing yet. Posts are sent within a minute of being published.</Text>;
  return (
    <CardList label="Sent">
      {data.data.map((notice) => (
        <CardItem
          key={notice.id}
          name={notice.title ?? 'Deleted post'}
          about={
            <>
              {notice.kind === 'post_mortem' ? 'Post-mortem' : 'Update'} ·{' '}
              <RelativeTime at={notice.publishedAt} /> · {letterWords(notice)}
            </>
          }
        />
      ))}
    </CardList>
  );
}

function letterWords({ letters, state }: StatusPageNotice): string {
  const { sent, pending, failed, resting, stopped } = letters;
  const parts = [`${sent} sent`];
  if (pending > 0) parts.push(`${pending} pending`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (resting > 0) parts.push(`${resting} resting`);
  if (stopped > 0 || state === 'stopped') parts.push(`${stopped} stopped`);
  return parts.join(', ');
}
