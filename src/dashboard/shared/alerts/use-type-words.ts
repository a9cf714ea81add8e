/** What the types of channels are called; their identifiers until that is known. */
import type { AlertChannelTypes } from '../data/api-types';
import { useRead } from '../data/queries';

export function useTypeWords(): (type: string) => string {
  const { data } = useRead<AlertChannelTypes>('/v1/alert-channels/types');
  return (type) => data?.data.find((known) => known.type === type)?.label ?? type;
}
