/** Fields of a filter that are typed into. They follow the address, and change it when typing rests. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './checks.module.css';

/** Narrow pages show no label. */
const SEARCH = 'Search';
const TYPING_MS = 60;
const LENGTH_MAX = 100;

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
      placeholder={SEARCH}
      classNames={{ root: classes['search'] ?? '', label: classes['wide-label'] ?? '' }}
      maxLength={LENGTH_MAX}
      data-search
    />
  );
}

interface Typed {
  readonly typed: string;
  readonly type: (text: string) => void;
  /** At once. */
  readonly choose: (text: string) => void;
}

export function useTyped({ value, onChange }: Omit<TypedFilterProps, 'label'>): Typed {
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
