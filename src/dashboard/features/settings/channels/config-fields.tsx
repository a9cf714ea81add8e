/** The fields of a channel type, bound to the draft of the form. */
import type { AlertChannel } from '../../../shared/data/api-types';
import { faultAt } from '../../../shared/text/faults';
import { type ChannelDraft, type ChannelField, findTyped } from './channel-draft';
import { ConfigField } from './config-field';

export interface ConfigFieldsProps {
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
  /** null for a new channel. */
  readonly channel: AlertChannel | null;
  readonly fields: readonly ChannelField[];
  /** The service's error for the last request. */
  readonly refusal: Parameters<typeof faultAt>[0];
}

export function ConfigFields({ draft, onChange, channel, fields, refusal }: ConfigFieldsProps) {
  return fields.map((field) => (
    <ConfigField
      key={field.name}
      field={field}
      value={findTyped(field, draft, channel)}
      onChange={(value) => onChange({ values: { ...draft.values, [field.name]: value } })}
      isKept={channel !== null}
      fault={faultAt(refusal, field.name)}
    />
  ));
}
