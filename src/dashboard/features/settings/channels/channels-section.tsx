/** The alert channels of the account. */

import { Alert, Group, List, Text } from '@mantine/core';
import { IconBell, IconBrandSlack, IconMail, IconWebhook } from '@tabler/icons-react';
import { type ComponentType, type CSSProperties, useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { asDefaultText } from '../../../shared/alerts/channel-usage';
import { MailBanner } from '../../../shared/alerts/mail-banner';
import { useTypeWords } from '../../../shared/alerts/use-type-words';
import { countWords } from '../../../shared/charts/counted';
import type { AlertChannel, ChannelTest } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { AbsoluteTime, RelativeTime } from '../../../shared/text/time';
import { CardItem } from '../../../shared/ui/card-list';
import { CopyField } from '../../../shared/ui/copy-field';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { ShownOnce } from '../../../shared/ui/shown-once';
import { SmallBadge } from '../../../shared/ui/small-badge';
import { SmallButton } from '../../../shared/ui/small-button';
import { ObjectSection } from '../object-section';
import { UsedBy } from '../used-by';
import { ChannelForm } from './channel-form';
import { TEXT } from './strings';
import { useChannelUsage } from './use-channel-usage';

export function ChannelsSection() {
  const [signed, setSigned] = useState<string | null>(null);
  return (
    <>
      <MailBanner />
      {signed !== null && (
        <ShownOnce title="The signing secret of this webhook" onDone={() => setSigned(null)}>
          <CopyField label="Signing secret" value={signed} />
        </ShownOnce>
      )}
      <ObjectSection<AlertChannel>
        path="/v1/alert-channels"
        text={TEXT}
        card={(channel, edit) => <ChannelCard key={channel.id} channel={channel} onEdit={edit} />}
        form={(channel, close) => (
          <ChannelForm
            channel={channel}
            onClose={(saved) => {
              close();
              if (saved?.signingSecret !== undefined) setSigned(saved.signingSecret);
            }}
          />
        )}
      />
    </>
  );
}

/** Icons by channel type; other types have a bell. */
const ICONS: Readonly<Record<string, ComponentType<{ size?: number; style?: CSSProperties }>>> = {
  email: IconMail,
  slack: IconBrandSlack,
  webhook: IconWebhook,
};

interface ChannelCardProps {
  readonly channel: AlertChannel;
  readonly onEdit: () => void;
}

/** One alert channel, with its actions and the outcome of the last test. */
function ChannelCard({ channel, onEdit }: ChannelCardProps) {
  const { id, version, name, type, isDefault } = channel;
  const mayWrite = useCan('write');
  const test = useChange<ChannelTest>(['/v1/alerts', '/v1/alert-channels']);
  const label = useTypeWords()(type);
  const Icon = ICONS[type] ?? IconBell;
  return (
    <CardItem
      name={
        <>
          <Icon size={18} aria-hidden style={{ verticalAlign: '-4px', marginRight: 8 }} />
          {name}
        </>
      }
      marks={
        <>
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          {isDefault && <SmallBadge text="Default" />}
        </>
      }
      about={findRecipient(channel)}
      actions={
        mayWrite && (
          <>
            <SmallButton
              loading={test.isPending}
              aria-label={`${TEXT.test} to ${name}`}
              onClick={() =>
                test.mutate({ method: 'POST', path: `/v1/alert-channels/${id}/test`, body: {} })
              }
            >
              {TEXT.test}
            </SmallButton>
            <SmallButton onClick={onEdit} aria-label={`Edit ${name}`}>
              Edit
            </SmallButton>
            <DeleteButton
              path={`/v1/alert-channels/${id}`}
              ifVersion={version}
              touches={['/v1/alert-channels']}
              label={`Delete ${name}`}
              question={{
                title: `Delete “${name}”?`,
                text: 'Alerts are no longer sent to it. Monitors and scenarios that use it keep running.',
              }}
              done="Channel deleted."
            />
          </>
        )
      }
    >
      <Deliveries channel={channel} />
      <Usage channel={channel} />
      {test.error !== null && <ProblemNote problem={test.error} />}
      {test.data !== undefined && <TestOutcome outcome={test.data} />}
    </CardItem>
  );
}

/** Shows the latest deliveries of a channel: recent failures, and the last success. */
function Deliveries({ channel: { lastSentAt, failing } }: { readonly channel: AlertChannel }) {
  return (
    <>
      {failing !== null && (
        <Text size="sm" c="var(--kw-down)" style={{ overflowWrap: 'anywhere' }}>
          {failing.error.replace(/\.$/, '')},{' '}
          {failing.count === 100 ? '100 or more' : failing.count} failed since{' '}
          <AbsoluteTime at={failing.since} />
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {lastSentAt === null ? (
          'Nothing sent yet'
        ) : (
          <>
            Last sent <RelativeTime at={lastSentAt} />
          </>
        )}
      </Text>
    </>
  );
}

/** Shows which checks use a channel, and a button that makes the channel a default. */
function Usage({ channel }: { readonly channel: AlertChannel }) {
  const { id, version, name, isDefault } = channel;
  const mayWrite = useCan('write');
  const findUsage = useChannelUsage();
  const { mutate, isPending, error } = useChange<AlertChannel>(['/v1/alert-channels']);
  // Reserves the height of the line, so that nothing moves when the text appears.
  if (findUsage === null) return <Group h={30} mt={4} />;
  const usage = findUsage(channel);
  const { users } = usage;
  const asDefault = asDefaultText(usage);
  const makeDefault = (): void =>
    mutate({
      method: 'PATCH',
      path: `/v1/alert-channels/${id}`,
      body: { isDefault: true },
      ifVersion: version,
    });
  return (
    <>
      <Group gap="xs" mt={4} mih={30}>
        <UsedBy users={users} count={countWords(users.length, 'check')} none={TEXT.unused} />
        {asDefault !== null && (
          <Text size="sm" mt={4} c="dimmed">
            {asDefault}
          </Text>
        )}
        {mayWrite && !isDefault && asDefault !== null && (
          <SmallButton
            loading={isPending}
            aria-label={`Make ${name} a default`}
            onClick={makeDefault}
          >
            Make default
          </SmallButton>
        )}
      </Group>
      {error !== null && <ProblemNote problem={error} />}
    </>
  );
}

/** Fields that identify the recipient, the most specific first. */
const ADDRESS_FIELDS = ['emails', 'to', 'chatId', 'topic', 'webhookUrl', 'url', 'apiUrl'];

function findRecipient(channel: AlertChannel): string {
  const fields: Readonly<Record<string, unknown>> = channel;
  const value = ADDRESS_FIELDS.map((name) => fields[name]).find((known) => known !== undefined);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : '';
}

function TestOutcome({ outcome: { status, deliveries } }: { readonly outcome: ChannelTest }) {
  const isSent = status === 'sent';
  return (
    <Alert
      mt="xs"
      role="status"
      variant="outline"
      color={isSent ? 'green' : 'red'}
      title={isSent ? 'Test sent' : 'Some deliveries of the test failed'}
    >
      <List size="sm">
        {deliveries.map(({ recipient, status: one, detail }) => (
          <List.Item key={recipient} style={{ overflowWrap: 'anywhere' }}>
            <b>{one}</b> to {recipient}: {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
