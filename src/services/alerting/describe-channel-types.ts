/** Describes the types of channels for forms. */
import { z } from 'zod';
import type { Channel } from '../../notify/channels/channel';
import { CHANNELS } from '../../notify/channels/registry';
import type { AlertChannelTypesResponse } from '../../schemas/responses/alerts';

type ChannelTypeResponse = AlertChannelTypesResponse['data'][number];

export function describeChannelTypes(): AlertChannelTypesResponse {
  return { data: CHANNELS.map(describe) };
}

function describe({ type, label, about, form, fields }: Channel): ChannelTypeResponse {
  const described = Object.entries(form).map(([name, { isCommon = false, ...field }]) => {
    const isRequired = !z.safeParse(fields[name] ?? z.unknown(), undefined).success;
    return { name, ...field, isRequired, isAdvanced: !isRequired && !isCommon };
  });
  return { type, label, about, fields: described };
}
