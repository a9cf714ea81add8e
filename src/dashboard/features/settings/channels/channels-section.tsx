/** The alert channels of the account. */
import { useState } from 'react';
import { MailBanner } from '../../../shared/alerts/mail-banner';
import type { AlertChannel, NewAlertChannel } from '../../../shared/data/api-types';
import { CardList } from '../../../shared/ui/card-list';
import { CopyField } from '../../../shared/ui/copy-field';
import { ShownOnce } from '../../../shared/ui/shown-once';
import { SettingsList } from '../settings-list';
import { ChannelCard } from './channel-card';
import { ChannelForm } from './channel-form';
import { TEXT } from './strings';

export function ChannelsSection() {
  const [edited, setEdited] = useState<AlertChannel | 'new' | null>(null);
  const [signed, setSigned] = useState<string | null>(null);
  const close = (saved: NewAlertChannel | null): void => {
    setEdited(null);
    if (saved?.signingSecret !== undefined) setSigned(saved.signingSecret);
  };
  return (
    <>
      <MailBanner />
      {signed !== null && (
        <ShownOnce title="The signing secret of this webhook" onDone={() => setSigned(null)}>
          <CopyField label="Signing secret" value={signed} />
        </ShownOnce>
      )}
      <SettingsList<AlertChannel>
        path="/v1/alert-channels"
        text={TEXT}
        mayAdd="write"
        onAdd={() => setEdited('new')}
      >
        {(channels) => (
          <CardList>
            {channels.map((channel) => (
              <ChannelCard key={channel.id} channel={channel} onEdit={() => setEdited(channel)} />
            ))}
          </CardList>
        )}
      </SettingsList>
      {edited !== null && (
        <ChannelForm channel={edited === 'new' ? null : edited} onClose={close} />
      )}
    </>
  );
}
