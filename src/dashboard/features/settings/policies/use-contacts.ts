/** The contacts that a policy can notify: the channels and members of the account. */
import { useTypeWords } from '../../../shared/alerts/use-type-words';
import type { AlertChannel, Member, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';

export interface Contact {
  readonly value: string;
  readonly label: string;
}

export interface Contacts {
  readonly channels: readonly Contact[];
  readonly members: readonly Contact[];
  /** Returns the name of a channel or member, or the id until the name is loaded. */
  readonly findName: (id: string) => string;
}

export function useContacts(): Contacts {
  const { data: channelPage } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const { data: memberPage } = useRead<Page<Member>>('/v1/members?limit=500');
  const typeWords = useTypeWords();
  const channels = (channelPage?.data ?? []).map(({ id, name, type }) => ({
    value: id,
    label: `${name} (${typeWords(type)})`,
  }));
  const members = (memberPage?.data ?? []).map(({ id, email }) => ({ value: id, label: email }));
  const all = [...channels, ...members];
  const findName = (id: string): string => all.find(({ value }) => value === id)?.label ?? id;
  return { channels, members, findName };
}
