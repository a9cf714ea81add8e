/**
 * The controls for testing a draft: the region, and the button that begins the test. On narrow screens, the footer of
 * the form has the button, too, because the controls may be far away.
 */
import { Button, Group, Select, Text } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useRegionIds } from '../form/fields/regions-field';
import { useFormKey } from '../form/use-form-key';

/** Id of the element in the footer of the form that contains the second button on narrow screens. */
export const TEST_SLOT_ID = 'test-slot';

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
  const controls = useRef<HTMLDivElement>(null);
  const slot = useSlot();
  const startFromFooter = (): void => {
    start();
    controls.current?.scrollIntoView({ block: 'start' });
  };
  useFormKey('mod+Enter', () => !isPending && start());
  return (
    <>
      <Group align="flex-end" gap="xs" ref={controls} style={{ scrollMarginTop: 120 }}>
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
      {slot !== null &&
        createPortal(
          <Button
            variant="default"
            onClick={startFromFooter}
            loading={isPending}
            leftSection={<IconPlayerPlayFilled size={16} aria-hidden />}
            hiddenFrom="lg"
          >
            Test now
          </Button>,
          slot,
        )}
      {isTried && region === null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          No regions yet. Start a probe first.
        </Text>
      )}
    </>
  );
}

/** Returns the element in the footer of the form. null if the form has none. */
function useSlot(): Element | null {
  const [slot, setSlot] = useState<Element | null>(null);
  useEffect(() => setSlot(document.getElementById(TEST_SLOT_ID)), []);
  return slot;
}
