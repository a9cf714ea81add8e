/** The user's sessions by device, with buttons to end one of them, or all except the current one. */
import { Group, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { BrowserSession, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { Unread } from '../../../shared/loading/unread';
import { RelativeTime } from '../../../shared/text/time';
import { absolute } from '../../../shared/text/time-text';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import { SmallBadge } from '../../../shared/ui/small-badge';

const PATH = '/v1/sessions';
const SIGN_OUT = 'Sign out';
const MOBILE = /iPhone|iPad|Android/;

export function SessionList() {
  const { data: page, error } = useRead<Page<BrowserSession>>(PATH);
  const others = page?.data.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <section aria-labelledby="sessions">
      <Group justify="space-between" mb={4} gap="xs">
        <Heading id="sessions">Sessions</Heading>
        {others.length > 0 && <EndOthers sessions={others} />}
      </Group>
      <Text c="dimmed" mb="sm">
        Where you are signed in. A session ends after 12 hours without use, and after 7 days at the
        latest.
      </Text>
      <Unread of={{ data: page, error }} />
      {page !== undefined && (
        <CardList label="Sessions">
          {page.data.map((session) => (
            <SessionCard key={session.id} session={session} />
          ))}
        </CardList>
      )}
    </section>
  );
}

function EndOthers({ sessions }: { readonly sessions: readonly BrowserSession[] }) {
  const devices = [...new Set(sessions.map(({ device }) => device))].join(', ');
  const count = sessions.length === 1 ? '1 session ends' : `${sessions.length} sessions end`;
  return (
    <DeleteButton
      path={PATH}
      touches={[PATH]}
      word="Sign out all other sessions"
      label="Sign out all other sessions"
      question={{
        title: 'Sign out all other sessions?',
        text: `${count} at once: ${devices}. You stay signed in here.`,
      }}
      done="All other sessions have ended."
    />
  );
}

function SessionCard({ session }: { readonly session: BrowserSession }) {
  const { id, device, userAgent, ip, createdAt, lastSeenAt, isCurrent } = session;
  const Icon = MOBILE.test(device) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <CardItem
      name={
        <span title={userAgent ?? undefined}>
          <Icon size={18} aria-hidden style={{ verticalAlign: '-4px', marginRight: 8 }} />
          {device}
        </span>
      }
      about={
        <>
          {ip !== null && `${ip} · `}started <RelativeTime at={createdAt} />, last used{' '}
          <RelativeTime at={lastSeenAt} />
        </>
      }
      marks={isCurrent && <SmallBadge text="This session" />}
      actions={
        !isCurrent && (
          <DeleteButton
            path={`${PATH}/${id}`}
            touches={[PATH]}
            word={SIGN_OUT}
            label={`${SIGN_OUT} ${device}`}
            question={{
              title: `Sign out ${device}?`,
              text: `The session that started on ${absolute(createdAt)} ends at once. Unsaved forms there are lost.`,
            }}
            done="The session has ended."
          />
        )
      }
    />
  );
}
