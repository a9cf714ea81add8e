/** The subscribers of a status page, and the delivery of its latest notices. */
import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useAct } from '../../../shared/actions/use-act';
import type {
  Page,
  StatusPage,
  StatusPageNotice,
  Subscriber,
  SubscriberPage,
} from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Heading } from '../../../shared/ui/heading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Pager } from '../../../shared/ui/pager';
import { SmallBadge } from '../../../shared/ui/small-badge';
import { SmallButton } from '../../../shared/ui/small-button';
import { Trail } from '../../../shared/ui/trail';
import { listNames } from '../posts/post-draft';
import { TEXT } from '../strings';
import { AddSubscriber } from './add-subscriber';

const SHOWN_MAX = 10;
const POLL_MS = 10_000;

/** The latest notices to a page's subscribers, with the number of messages sent, pending and failed. */
function NoticeList({ pageId }: { readonly pageId: string }) {
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

const TYPES = { mail: 'Email', webhook: 'Webhook', slack: 'Slack' } as const;
const STATES = { active: 'Active', resting: 'Resting', unconfirmed: 'Not confirmed' } as const;

export function SubscribersPage() {
  const { pageId = '' } = useParams({ strict: false });
  const path = `/v1/status-pages/${pageId}`;
  const [{ cursor }] = useSearchState();
  const { data: page, error } = useRead<StatusPage>(path);
  const after = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
  const list = useRead<SubscriberPage>(`${path}/subscribers${after}`);
  const mayWrite = useCan('write');
  const [isAdding, setIsAdding] = useState(false);
  const trail = [{ to: '/status-pages', label: TEXT.pages }];
  if (error !== null && page === undefined)
    return <PageProblem problem={error} what="Status page" trail={trail} />;
  if (page === undefined || page.id !== pageId) return <PageLoading />;
  const isOpen = Object.values(page.subscribers).includes(true);
  const add = mayWrite && isOpen && (
    <Button onClick={() => setIsAdding(true)} leftSection={<IconPlus size={16} aria-hidden />}>
      {TEXT.addSubscriber}
    </Button>
  );
  const allow = (
    <Button component={Link} to={`/status-pages/${pageId}`} variant="default">
      {TEXT.allowSubscriptions}
    </Button>
  );
  const isEmpty = list.data?.data.length === 0;
  return (
    <>
      <Trail pages={trail} />
      <PageHead title={`${TEXT.subscribers} of ${page.title}`}>
        {!isEmpty && mayWrite && (
          <Button component="a" href={`${path}/subscribers/export?format=csv`} variant="default">
            Export CSV
          </Button>
        )}
        {!isEmpty && add}
      </PageHead>
      <Unread of={list} shape={<PageLoading isBelowHead />} />
      {isEmpty && (
        <EmptyState
          title="No subscribers yet"
          text={
            isOpen
              ? 'Visitors can subscribe on the page.'
              : 'Visitors cannot subscribe to this page yet.'
          }
          action={isOpen ? add : mayWrite && allow}
        />
      )}
      {!isEmpty && list.data !== undefined && (
        <Stack gap="xl">
          <section>
            <Text c="dimmed" mb="sm">
              {countWords(list.data.counts)}
            </Text>
            <CardList label={TEXT.subscribers}>
              {list.data.data.map((subscriber) => (
                <SubscriberCard
                  key={subscriber.id}
                  subscriber={subscriber}
                  page={page}
                  mayWrite={mayWrite}
                />
              ))}
            </CardList>
            <Pager nextCursor={list.data.nextCursor} />
          </section>
          <section>
            <Heading mb="xs">Sent</Heading>
            <NoticeList pageId={pageId} />
          </section>
        </Stack>
      )}
      {isAdding && <AddSubscriber page={page} onClose={() => setIsAdding(false)} />}
    </>
  );
}

function countWords({ active, resting, unconfirmed }: SubscriberPage['counts']): string {
  const parts = [`${active} active`];
  if (resting > 0) parts.push(`${resting} resting`);
  if (unconfirmed > 0) parts.push(`${unconfirmed} not confirmed`);
  return parts.join(' · ');
}

interface CardProps {
  readonly subscriber: Subscriber;
  readonly page: StatusPage;
  readonly mayWrite: boolean;
}

function SubscriberCard({ subscriber, page, mayWrite }: CardProps) {
  const { id, type, to, items, state, bounces, createdAt } = subscriber;
  const path = `/v1/status-pages/${page.id}/subscribers`;
  const { act, isPending } = useAct([path]);
  const wake = (): void =>
    act(
      { method: 'POST', path: `${path}/${id}/resume`, body: {} },
      { done: 'Posts are sent to this subscriber again.' },
    );
  return (
    <CardItem
      name={to}
      marks={
        <>
          <SmallBadge text={TYPES[type]} />
          {state !== 'active' && <SmallBadge text={STATES[state]} />}
        </>
      }
      about={
        <>
          {items === null ? 'Whole page' : listNames(page, items).join(', ')} · since{' '}
          <RelativeTime at={createdAt} />
          {bounces > 0 && ` · refused ${bounces} times in a row`}
        </>
      }
      actions={
        mayWrite && (
          <>
            {state === 'resting' && (
              <SmallButton loading={isPending} onClick={wake} aria-label={`Send again to ${to}`}>
                Send again
              </SmallButton>
            )}
            <DeleteButton
              path={`${path}/${id}`}
              touches={[path]}
              word="Remove"
              label={`Remove ${to}`}
              question={{ title: `Remove ${to}?`, text: 'They no longer receive posts.' }}
              done="Subscriber removed."
            />
          </>
        )
      }
    />
  );
}
