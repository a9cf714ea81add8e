/** Returns the names of the channel types, or their identifiers until the names are read. */
import type { AlertChannelTypes } from '../data/api-types';
import { useRead } from '../data/queries';

export function useTypeWords(): (type: string) => string {
  const { data } = useRead<AlertChannelTypes>('/v1/alert-channels/types');
  return (type) => data?.data.find((known) => known.type === type)?.label ?? type;
}
