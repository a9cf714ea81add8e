/** The alert channels of the account. */
import { useState } from 'react';
import { MailBanner } from '../../../shared/alerts/mail-banner';
import type { AlertChannel } from '../../../shared/data/api-types';
import { CopyField } from '../../../shared/ui/copy-field';
import { ShownOnce } from '../../../shared/ui/shown-once';
import { ObjectSection } from '../object-section';
import { ChannelCard } from './channel-card';
import { ChannelForm } from './channel-form';
import { TEXT } from './strings';

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
