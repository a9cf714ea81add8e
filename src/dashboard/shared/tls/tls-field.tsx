/** The TLS fields of a request. A button turns a literal key into a secret. */
import { Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { SaveAsSecret } from '../form/headers/header-value';
import { fieldAt, fieldWithin, type Problems } from '../form/problems/problems';
import { findTrust, isReference, type TlsDraft, type TlsText, TRUST_WORDS } from './tls-draft';

interface TlsFieldProps {
  readonly value: TlsDraft;
  readonly onChange: (value: TlsDraft) => void;
  readonly problems: Problems;
  /** The path of the settings, like `tls` or `steps[1].tls`. */
  readonly path: string;
  /** The label of the choice to set nothing here: the default trust, or the settings of the scenario. */
  readonly otherwise: string;
  /** True if the scenario has TLS settings, which apply to the fields that are empty here. */
  readonly isShared?: boolean;
}

const UNSAID = '';

export function TlsField(props: TlsFieldProps) {
  const { value, onChange, problems, path, otherwise, isShared = false } = props;
  const { trust, checkHost } = value;
  const offered = Object.entries(TRUST_WORDS)
    .filter(([name]) => name !== 'system' || isShared || trust === 'system')
    .map(([name, label]) => ({ value: name, label }));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Trusted certificates"
          data={[{ value: UNSAID, label: otherwise }, ...offered]}
          value={trust ?? UNSAID}
          onChange={(chosen) => onChange({ ...value, trust: findTrust(chosen ?? UNSAID) })}
          {...fieldAt(problems, `${path}.trust`)}
          allowDeselect={false}
        />
        <TextInput
          label="TLS server name"
          description="Where it is not the host."
          value={value.texts.serverName}
          onChange={({ currentTarget }) =>
            onChange(withText(value, 'serverName', currentTarget.value))
          }
          {...fieldAt(problems, `${path}.serverName`)}
        />
      </SimpleGrid>
      {trust === 'ca' && <PemText {...props} name="ca" label="Authority" at="trust.ca" />}
      {trust === 'pin' && <Pins {...props} />}
      <PemText {...props} name="certificate" label="Client certificate" at="certificate" />
      <PemText {...props} name="key" label="Private key" at="key" isSecret />
      <PemText
        {...props}
        name="passphrase"
        label="Passphrase of the key"
        at="passphrase"
        isSecret
      />
      {trust !== 'unchecked' && (
        <Switch
          label="Certificate must be for the host"
          checked={checkHost}
          onChange={({ currentTarget }) => onChange({ ...value, checkHost: currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

function withText(value: TlsDraft, name: TlsText, text: string): TlsDraft {
  return { ...value, texts: { ...value.texts, [name]: text } };
}

function Pins({ value, onChange, problems, path }: TlsFieldProps) {
  return (
    <Textarea
      label="SHA-256 of the certificates"
      description="One a line; a second one before the first is replaced."
      value={value.texts.pin}
      onChange={({ currentTarget }) => onChange(withText(value, 'pin', currentTarget.value))}
      {...fieldWithin(problems, `${path}.trust.pin`)}
      autosize
      minRows={2}
      spellCheck={false}
    />
  );
}

interface PemTextProps extends TlsFieldProps {
  readonly name: TlsText;
  readonly label: string;
  readonly at: string;
  /** True if the field may contain only a reference to a secret. */
  readonly isSecret?: boolean;
}

/** An editor for a text of several lines; a single-line input would lose the line breaks. */
function PemText({ value, onChange, problems, path, name, label, at, isSecret }: PemTextProps) {
  const text = value.texts[name];
  const onValue = (next: string): void => onChange(withText(value, name, next));
  return (
    <div>
      <Textarea
        label={label}
        placeholder={isSecret === true ? '{{secret:name}}' : 'PEM, or {{secret:name}}'}
        value={text}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
        {...fieldAt(problems, `${path}.${at}`)}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        autoComplete="off"
      />
      {isSecret === true && !isReference(text) && (
        <SaveAsSecret row={{ name: `tls-${name}`, value: text }} onValue={onValue} />
      )}
    </div>
  );
}
