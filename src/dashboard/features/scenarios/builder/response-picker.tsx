/** Picks a value from a tested step's response and adds it to the step as an extraction or assertion. */
import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { VARIABLE_NAME } from '../../../../domain/templates/template';
import {
  type AssertionDraft,
  fromAssertion,
} from '../../../shared/form/assertions/assertion-draft';
import { JsonTree } from '../../../shared/results/json-tree';
import { Subheading } from '../../../shared/ui/heading';
import { AddButton } from '../../../shared/ui/small-button';
import type { RunStep } from '../runs/waterfall';
import { extractFrom, parseResponse, preview, variableFor } from './json-nodes';

interface ResponsePickerProps {
  readonly step: RunStep;
  /** Variable names that are already in use. */
  readonly taken: readonly string[];
  /** Returns the variable that the step already extracts from this path. */
  readonly variableAt: (path: string) => string | undefined;
  readonly onExtract: (variable: string, path: string) => void;
  readonly onAssert: (assertion: AssertionDraft) => void;
}

interface Picked {
  readonly path: string;
  readonly variable: string;
}

export function ResponsePicker(props: ResponsePickerProps) {
  const { step, taken, variableAt, onExtract, onAssert } = props;
  const [picked, setPicked] = useState<Picked | null>(null);
  const { response } = step;
  if (response === null) return null;
  const parsed = parseResponse(response.bodyPreview);
  const { status } = response;
  const nameAt = (path: string): string => variableAt(path) ?? variableFor(path, taken);
  return (
    <Card withBorder mt="md" padding="sm">
      <Subheading>Use this response</Subheading>
      <Stack gap="sm">
        {status !== null && (
          <Group gap="xs">
            <AddButton
              onClick={() =>
                onAssert(fromAssertion({ type: 'status', operator: 'equals', value: status }))
              }
            >
              Assert status {status}
            </AddButton>
          </Group>
        )}
        {parsed === undefined ? (
          <Text size="sm" c="dimmed">
            {response.truncated
              ? 'The response is too long to pick from.'
              : 'The response is not JSON.'}
          </Text>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              Click a value to extract{status === null ? '' : ' or assert'} it, or drag it into a
              field of a later step:
            </Text>
            <JsonTree
              value={parsed.json}
              label={`Response of ${step.name} as JSON`}
              onPick={({ path }) => setPicked({ path, variable: variableFor(path, taken) })}
              drag={{
                readText: (path) => `{{${nameAt(path)}}}`,
                onDropped: (path) => {
                  if (variableAt(path) === undefined) onExtract(nameAt(path), path);
                },
              }}
            />
            {picked !== null && (
              <PickedValue
                key={picked.path}
                picked={picked}
                root={parsed.json}
                taken={taken}
                onExtract={onExtract}
                onAssert={onAssert}
                canAssert={status !== null}
              />
            )}
          </>
        )}
      </Stack>
    </Card>
  );
}

interface PickedValueProps extends Omit<ResponsePickerProps, 'step' | 'variableAt'> {
  readonly picked: Picked;
  readonly root: unknown;
  /** True if the step can have assertions on the response. Only HTTP steps can. */
  readonly canAssert: boolean;
}

function PickedValue(props: PickedValueProps) {
  const { picked, root, taken, onExtract, onAssert, canAssert } = props;
  const [path, setPath] = useState(picked.path);
  const [variable, setVariable] = useState(picked.variable);
  const extracted = extractFrom(root, path);
  const isName = VARIABLE_NAME.test(variable);
  const value = extracted.kind === 'found' ? extracted.value : undefined;
  return (
    <Stack gap="xs">
      <TextInput
        label="Path"
        value={path}
        onChange={({ currentTarget }) => setPath(currentTarget.value)}
        spellCheck={false}
        data-autofocus
      />
      <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
        {extracted.kind === 'found' && (
          <>
            Extracts <b>{preview(extracted.value)}</b>
            {extracted.count > 1 ? `, the first of ${extracted.count}` : ''}
          </>
        )}
        {extracted.kind === 'nothing' && 'No match: this step would fail.'}
        {extracted.kind === 'unknown' && 'Run the test again to see what this path extracts.'}
      </Text>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Variable"
          value={variable}
          onChange={({ currentTarget }) => setVariable(currentTarget.value)}
          error={variable !== '' && !isName ? 'Letters, digits and _ only' : undefined}
        />
        <Button
          variant="default"
          disabled={!isName || extracted.kind === 'nothing'}
          onClick={() => onExtract(variable, path)}
        >
          {taken.includes(variable) ? 'Extract again' : 'Extract'}
        </Button>
        {canAssert && (
          <Button
            variant="default"
            disabled={value === undefined}
            onClick={() =>
              onAssert(fromAssertion({ type: 'jsonPath', path, operator: 'equals', value }))
            }
          >
            Assert this value
          </Button>
        )}
      </Group>
    </Stack>
  );
}
