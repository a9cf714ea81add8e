/** Fields of a filter that are typed into. They follow the address, and change it when typing rests. */
import { Autocomplete, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { get } from '../data/api';
import type { Page } from '../data/api-types';
import type { ListKind } from './list-filters';

const TYPING_MS = 250;
const LENGTH_MAX = 100;
/** The newest that are looked at for tags; others can still be typed. */
const TAGGED_READ = 500;
const TAGS_STALE_MS = 300_000;
const TAGS_SHOWN = 12;

interface TypedFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field that `/` leads to. */
export function SearchFilter({ label, ...filter }: TypedFilterProps) {
  const { typed, type } = useTyped(filter);
  return (
    <TextInput
      label={label}
      type="search"
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      w={{ base: '100%', xs: 260 }}
      maxLength={LENGTH_MAX}
      data-search
    />
  );
}

/** Offers the tags that there are, from the first time that somebody goes there. */
export function TagFilter({ kind, label, ...filter }: TypedFilterProps & { kind: ListKind }) {
  const { typed, type, choose } = useTyped(filter);
  const [isAsked, setIsAsked] = useState(false);
  const { data: tags = [] } = useQuery({
    // Not a path, so that no change of a monitor reads all of them again.
    queryKey: [`tags of ${kind}`],
    queryFn: async ({ signal }) => tagsOf(await get<Tagged>(pathOf(kind), signal)),
    enabled: isAsked,
    staleTime: TAGS_STALE_MS,
  });
  return (
    <Autocomplete
      label={label}
      value={typed}
      onChange={type}
      onOptionSubmit={choose}
      onFocus={() => setIsAsked(true)}
      data={[...tags]}
      limit={TAGS_SHOWN}
      w={{ base: '100%', xs: 150 }}
      maxLength={LENGTH_MAX}
    />
  );
}

type Tagged = Page<{ readonly tags: readonly string[] }>;

function pathOf(kind: ListKind): string {
  return `/v1/${kind}?limit=${TAGGED_READ}`;
}

function tagsOf({ data }: Tagged): readonly string[] {
  return [...new Set(data.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b));
}

interface Typed {
  readonly typed: string;
  readonly type: (text: string) => void;
  /** At once. */
  readonly choose: (text: string) => void;
}

function useTyped({ value, onChange }: Omit<TypedFilterProps, 'label'>): Typed {
  const [typed, setTyped] = useState(value);
  const changeLater = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setTyped(value), [value]);
  return {
    typed,
    type: (text) => {
      setTyped(text);
      changeLater(text.trim());
    },
    choose: (text) => {
      changeLater.cancel();
      setTyped(text);
      onChange(text);
    },
  };
}
