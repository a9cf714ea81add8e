/** The parts of a multipart body: texts, and files, whose bytes are stored in the definition. */
import { Button, FileButton, Group, Stack, TextInput } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import type { OfferedName } from '../editor/complete-reference';
import { TemplateInput } from '../form/fields/template-input';
import { fieldAt, type Problems } from '../form/problems/problems';
import { RowList } from '../form/rows/row-list';
import { useReading } from '../form/use-reading';
import { newPartRow, type PartRow } from './body-draft';
import type { BodyFieldProps } from './body-field';

const NO_NAMES: readonly OfferedName[] = [];

export function PartsField(props: BodyFieldProps) {
  const { prefix = '', value, onChange, problems, names = NO_NAMES } = props;
  return (
    <RowList
      rows={value.parts}
      onChange={(parts) => onChange({ ...value, parts })}
      newRow={newPartRow}
      noun="part"
      layout="pair"
    >
      {(row, number, change) => (
        <PartInputs
          row={row}
          number={number}
          change={change}
          problems={problems}
          path={`${prefix}multipart[${number - 1}]`}
          names={names}
        />
      )}
    </RowList>
  );
}

interface PartInputsProps {
  readonly row: PartRow;
  readonly number: number;
  readonly change: (patch: Partial<PartRow>) => void;
  readonly problems: Problems;
  readonly path: string;
  readonly names: readonly OfferedName[];
}

function PartInputs({ row, number, change, problems, path, names }: PartInputsProps) {
  const read = useReading(change);
  const text = (name: 'name' | 'fileName' | 'contentType', label: string, placeholder: string) => (
    <TextInput
      aria-label={`${label} of part ${number}`}
      placeholder={placeholder}
      value={row[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
      {...fieldAt(problems, `${path}.${name}`)}
    />
  );
  return (
    <>
      {text('name', 'Name', 'name')}
      <Stack gap={4}>
        {row.isBytes ? (
          <TextInput
            aria-label={`Base64 of part ${number}`}
            placeholder="base64"
            value={row.value}
            onChange={({ currentTarget }) => change({ value: currentTarget.value })}
            {...fieldAt(problems, `${path}.base64`)}
          />
        ) : (
          <TemplateInput
            aria-label={`Value of part ${number}`}
            placeholder="value"
            value={row.value}
            onValue={(value) => change({ value })}
            names={names}
            {...fieldAt(problems, `${path}.value`)}
          />
        )}
        <Group gap={4} grow>
          {text('fileName', 'File name', 'file name: none')}
          {text('contentType', 'Content type', 'content type: default')}
        </Group>
        <Group gap={4}>
          <FileButton onChange={(file) => file !== null && read(readPart(file))}>
            {(button) => (
              <Button
                {...button}
                size="compact-xs"
                variant="subtle"
                leftSection={<IconFile size={12} aria-hidden />}
                aria-label={`Choose a file for part ${number}`}
              >
                Choose a file
              </Button>
            )}
          </FileButton>
          {row.isBytes && (
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => {
                read(null);
                change({ isBytes: false, value: '' });
              }}
            >
              Text instead
            </Button>
          )}
        </Group>
      </Stack>
    </>
  );
}

async function readPart(file: File): Promise<Partial<PartRow>> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const value = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
  return { isBytes: true, value, fileName: file.name, contentType: file.type };
}
