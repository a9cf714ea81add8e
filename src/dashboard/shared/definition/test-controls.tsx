/** The controls for testing a draft: the region, and the button that begins the test. */
import { Button, Group, Select, Text } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useRegionIds } from '../form/regions-field';
import { useFormKey } from '../form/use-form-key';

interface TestControlsProps {
  /** The regions of the draft. The first one is preselected for a test. */
  readonly regions: readonly string[];
  /** Called with null if no region could run the test. */
  readonly onStart: (region: string | null) => void;
  readonly isPending: boolean;
  /** Further choices, shown between the region and the button. */
  readonly children?: ReactNode;
}

export function TestControls({ regions, onStart, isPending, children }: TestControlsProps) {
  const known = useRegionIds();
  const [chosen, setChosen] = useState<string | null>(null);
  const region = chosen ?? regions[0] ?? known[0] ?? null;
  const [isTried, setIsTried] = useState(false);
  const start = (): void => {
    setIsTried(true);
    onStart(region);
  };
  useFormKey('mod+Enter', () => !isPending && start());
  return (
    <>
      <Group align="flex-end" gap="xs">
        <Select
          label="Region"
          data={[...known]}
          value={region}
          onChange={setChosen}
          allowDeselect={false}
          flex={1}
          miw={120}
        />
        {children}
        <Button
          onClick={start}
          loading={isPending}
          title="Ctrl Enter"
          leftSection={<IconPlayerPlayFilled size={16} aria-hidden />}
        >
          Test now
        </Button>
      </Group>
      {isTried && region === null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          No regions yet. Start a probe first.
        </Text>
      )}
    </>
  );
}
