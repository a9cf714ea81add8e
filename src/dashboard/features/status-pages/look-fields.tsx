/** Edits the appearance of a status page: logo, colour and theme. */
import {
  ColorSwatch,
  FileButton,
  Group,
  Input,
  SegmentedControl,
  Select,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useReading } from '../../shared/form/use-reading';
import { SmallButton } from '../../shared/ui/small-button';
import type { PageDraft } from './page-draft';
import { TEXT } from './strings';

/** The languages, each under its native name. */
const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
  { value: 'fr', label: 'Français' },
  { value: 'es', label: 'Español' },
  { value: 'pt-BR', label: 'Português (Brasil)' },
  { value: 'ja', label: '日本語' },
  { value: 'zh', label: '简体中文' },
] as const;

/**
 * Maximum size of the logo's file in bytes. The API accepts a data URL of 32,768 characters, in which three bytes
 * become four characters.
 */
const LOGO_BYTES_MAX = 24_500;
const LOGO_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/svg+xml';

interface LookFieldsProps {
  readonly draft: PageDraft;
  readonly onChange: (changes: Partial<PageDraft>) => void;
  readonly findFault: (field: string) => string | null;
}

export function LookFields({ draft, onChange, findFault }: LookFieldsProps) {
  const { accent, theme, language } = draft;
  return (
    <>
      <LogoField
        logo={draft.logo}
        onChange={(logo) => onChange({ logo })}
        fault={findFault('logo')}
      />
      <TextInput
        label="Accent colour"
        description="Six hex digits, like #0b6374. Empty: none."
        maxLength={7}
        maw={280}
        value={accent}
        onChange={({ currentTarget }) => onChange({ accent: currentTarget.value })}
        rightSection={<ColorSwatch color={accent === '' ? 'transparent' : accent} size={18} />}
        error={findFault('accent')}
      />
      <Input.Wrapper label={TEXT.theme} labelElement="div">
        <div>
          <SegmentedControl
            aria-label={TEXT.theme}
            value={theme}
            data={[
              { value: 'auto', label: 'Match system' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={(value) => {
              if (value === 'auto' || value === 'light' || value === 'dark')
                onChange({ theme: value });
            }}
          />
        </div>
      </Input.Wrapper>
      <Select
        label={TEXT.language}
        description="Of headings, states and times. Your own texts stay as they are."
        maw={280}
        allowDeselect={false}
        value={language}
        data={[...LANGUAGES]}
        onChange={(value) => {
          const chosen = LANGUAGES.find((each) => each.value === value);
          if (chosen !== undefined) onChange({ language: chosen.value });
        }}
      />
    </>
  );
}

interface LogoFieldProps {
  readonly logo: string | null;
  readonly onChange: (logo: string | null) => void;
  readonly fault: string | null;
}

function LogoField({ logo, onChange, fault }: LogoFieldProps) {
  const [isTooLarge, setIsTooLarge] = useState(false);
  const read = useReading(onChange);
  const choose = (file: File | null): void => {
    if (file === null) return;
    const isSmall = file.size <= LOGO_BYTES_MAX;
    setIsTooLarge(!isSmall);
    read(isSmall ? readDataUrl(file) : null);
  };
  const remove = (): void => {
    read(null);
    onChange(null);
  };
  return (
    <Input.Wrapper
      label={TEXT.logo}
      labelElement="div"
      description="PNG, JPEG, WebP, GIF or SVG, up to 24 KB."
      error={isTooLarge ? 'The image is too large. Choose one of up to 24 KB.' : fault}
    >
      <Group gap="xs" mt={6}>
        {logo !== null && (
          <img src={logo} alt={TEXT.logo} style={{ maxHeight: 40, maxWidth: 160 }} />
        )}
        <FileButton onChange={choose} accept={LOGO_TYPES} inputProps={{ 'aria-label': TEXT.logo }}>
          {(props) => <SmallButton {...props}>Choose an image</SmallButton>}
        </FileButton>
        {logo !== null && <SmallButton onClick={remove}>Remove logo</SmallButton>}
      </Group>
    </Input.Wrapper>
  );
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}
