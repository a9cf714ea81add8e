/** A one-line text input that offers names after `{{`. */
import { Combobox, Text, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import {
  complete,
  type OfferedName,
  type OpenReference,
  openReference,
} from '../../editor/complete-reference';

const OFFERED_MAX = 50;

interface TemplateInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly names: readonly OfferedName[];
}

export function TemplateInput({ value, onValue, names, ...input }: TemplateInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState<OpenReference | null>(null);
  const combobox = useCombobox();
  const typed = open?.typed.toLowerCase() ?? '';
  const offered =
    open === null
      ? []
      : names.filter(({ label }) => label.toLowerCase().includes(typed)).slice(0, OFFERED_MAX);
  const best = offered[0]?.label;

  // Selects the first offered name, so that Enter inserts this name.
  useEffect(() => {
    if (best === undefined) return;
    const later = requestAnimationFrame(() => combobox.selectFirstOption());
    return () => cancelAnimationFrame(later);
  }, [best, combobox.selectFirstOption]);

  const follow = ({ value: text, selectionStart }: HTMLInputElement): void => {
    const found = openReference(text, selectionStart ?? text.length);
    setOpen(found);
    if (found === null) combobox.closeDropdown();
    else combobox.openDropdown();
  };
  const pick = (label: string): void => {
    const next = complete(value, field.current?.selectionStart ?? value.length, label);
    onValue(next.text);
    setOpen(null);
    combobox.closeDropdown();
    // Sets the cursor after React has written the text. Otherwise the cursor would jump to the end.
    requestAnimationFrame(() => field.current?.setSelectionRange(next.cursor, next.cursor));
  };

  return (
    <Combobox store={combobox} onOptionSubmit={pick} withinPortal>
      <Combobox.Target withKeyboardNavigation={offered.length > 0}>
        <TextInput
          {...input}
          ref={field}
          value={value}
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) => {
            onValue(currentTarget.value);
            follow(currentTarget);
          }}
          onClick={({ currentTarget }) => follow(currentTarget)}
          onBlur={(event) => {
            combobox.closeDropdown();
            input.onBlur?.(event);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label="Names to put in">
          {offered.map(({ label, detail }) => (
            <Combobox.Option key={label} value={label}>
              <Text span size="sm" ff="monospace">
                {label}
              </Text>{' '}
              <Text span size="xs">
                {detail}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
