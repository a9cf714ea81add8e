/** Changes the password of the signed-in user. Keeps neither the old nor the new password. */
import { Button, Group, Paper, PasswordInput, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { type ApiProblem, request } from '../../../shared/data/api';
import type { BrowserSession, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSession } from '../../../shared/data/session';
import { Unread } from '../../../shared/loading/unread';
import { faultAt } from '../../../shared/text/faults';
import { RelativeTime } from '../../../shared/text/time';
import { absolute } from '../../../shared/text/time-text';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { SmallBadge } from '../../../shared/ui/small-badge';

const EMPTY = { currentPassword: '', newPassword: '', repeated: '' };
const LENGTH_MIN = 12;

export function PasswordSection() {
  const { user } = useSession();
  const [given, setGiven] = useState(EMPTY);
  const { mutate, isPending, error } = useMutation<unknown, ApiProblem, typeof EMPTY>({
    mutationFn: ({ currentPassword, newPassword }) =>
      request('POST', '/v1/password', {
        body: { currentPassword, newPassword },
        hasPassword: true,
      }),
    onSuccess: () => {
      setGiven(EMPTY);
      notify('Password changed. Your other sessions have ended.');
    },
  });
  if (user === null) return <Text>Sign in to see this.</Text>;
  const isRepeated = given.newPassword === given.repeated;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isRepeated) mutate(given);
  };
  const bindField = (name: keyof typeof EMPTY) => ({
    required: true,
    value: given[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setGiven({ ...given, [name]: currentTarget.value }),
    visibilityToggleButtonProps: { 'aria-label': 'Show passwords' },
  });
  return (
    <Stack gap="xl">
      <form onSubmit={save}>
        <Heading mb="xs">Password</Heading>
        <Paper withBorder p="md">
          <Stack maw="var(--kw-form)">
            <input
              type="hidden"
              name="username"
              autoComplete="username"
              value={user.email}
              readOnly
            />
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              {...bindField('currentPassword')}
              error={faultAt(error, 'currentPassword')}
            />
            <PasswordInput
              label="New password"
              description={`At least ${LENGTH_MIN} characters.`}
              autoComplete="new-password"
              minLength={LENGTH_MIN}
              {...bindField('newPassword')}
              error={faultAt(error, 'newPassword')}
            />
            <PasswordInput
              label="New password again"
              autoComplete="new-password"
              {...bindField('repeated')}
              error={given.repeated !== '' && !isRepeated ? 'Passwords do not match' : null}
            />
            {error !== null && <ProblemNote problem={error} />}
            <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
              Change password
            </Button>
          </Stack>
        </Paper>
      </form>
      <SessionList />
    </Stack>
  );
}

const PATH = '/v1/sessions';
const SIGN_OUT = 'Sign out';
const MOBILE = /iPhone|iPad|Android/;

/** Lists the user's sessions by device. Buttons end one session, or all sessions except the current one. */
function SessionList() {
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
        latest. If you stay signed in on a device: after 7 days without use, and after 30 days at
        the latest.
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
  const { id, device, userAgent, ip, createdAt, lastSeenAt, isCurrent, staySignedIn } = session;
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
      marks={
        <>
          {isCurrent && <SmallBadge text="This session" />}
          {staySignedIn && <SmallBadge text="Stays signed in" />}
        </>
      }
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
