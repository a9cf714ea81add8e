/** Text fields of filters. They follow the URL, and change the URL when the user stops typing. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import classes from './checks.module.css';

/** The placeholder. It replaces the label, which narrow pages hide. */
const SEARCH = 'Search';
const TYPING_MS = 60;
const LENGTH_MAX = 100;

interface TypedFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The search field. The `/` key focuses it. */
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
  /** Changes the URL at once, even if the user has not stopped typing. */
  readonly choose: (text: string) => void;
}

export function useTyped({ value, onChange }: Omit<TypedFilterProps, 'label'>): Typed {
  const [typed, setTyped] = useState(value);
  /** The value that this field last wrote to the URL or read from it. */
  const sent = useRef(value);
  const send = (text: string): void => {
    sent.current = text;
    onChange(text);
  };
  const sendLater = useDebouncedCallback(send, TYPING_MS);
  useEffect(() => {
    if (value === sent.current) return;
    // Another control changed the filter, for example a link or a saved view.
    sent.current = value;
    sendLater.cancel();
    setTyped(value);
  }, [value, sendLater]);
  return {
    typed,
    type: (text) => {
      setTyped(text);
      // A chosen option was already written to the URL. The autocomplete also reports the option as typed text, so this
      // second change is dropped.
      if (text.trim() === sent.current) sendLater.cancel();
      else sendLater(text.trim());
    },
    choose: (text) => {
      sendLater.cancel();
      setTyped(text);
      send(text);
    },
  };
}
