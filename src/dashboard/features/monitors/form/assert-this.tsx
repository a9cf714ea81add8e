/** Turns parts of a response into assertions: status, time, or a value of a JSON body. */
import { Group, Stack, Text } from '@mantine/core';
import { parsedJson } from '../../../../contracts/json';
import type { TestResult } from '../../../shared/data/api-types';
import { type AssertionDraft, fromAssertion } from '../../../shared/form/assertion-draft';
import { JsonTree } from '../../../shared/results/json-tree';
import { notify } from '../../../shared/ui/notify';
import { AddButton } from '../../../shared/ui/small-button';

interface AssertThisProps {
  readonly result: TestResult;
  readonly onAssert: (assertion: AssertionDraft) => void;
}

/** Factor between the measured time and the limit, which leaves headroom for normal variation. */
const TIME_ROOM = 2;

export function AssertThis({ result: { response, responseTimeMs }, onAssert }: AssertThisProps) {
  if (response === null || response.status === null) return null;
  const add = (assertion: AssertionDraft): void => {
    onAssert(assertion);
    notify('Assertion added.');
  };
  const limit = Math.max(100, Math.ceil(((responseTimeMs ?? 0) * TIME_ROOM) / 100) * 100);
  const body = response.truncated ? undefined : parse(response.bodyPreview);
  return (
    <Stack gap="xs" mt="md">
      <Text fw={600} size="sm">
        Add assertions from this response
      </Text>
      <Group gap="xs">
        <AddButton
          onClick={() =>
            add(fromAssertion({ type: 'status', operator: 'equals', value: response.status }))
          }
        >
          Status {response.status}
        </AddButton>
        <AddButton
          onClick={() =>
            add(fromAssertion({ type: 'responseTime', operator: 'lessThan', value: limit }))
          }
        >
          Faster than {limit} ms
        </AddButton>
      </Group>
      {body !== undefined && (
        <>
          <Text size="sm" c="dimmed">
            Click a value in the response to assert it:
          </Text>
          <JsonTree
            value={body}
            label="Response as JSON"
            onPick={({ path, value }) =>
              add(fromAssertion({ type: 'jsonPath', path, operator: 'equals', value }))
            }
          />
        </>
      )}
    </Stack>
  );
}

/** undefined when the text is not a JSON object or list. */
function parse(text: string | null): object | undefined {
  const parsed = parsedJson(text ?? '');
  return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
}
