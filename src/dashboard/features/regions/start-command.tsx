/** The commands that start a probe, with a placeholder for its key. */
import { Button, Code, Stack, Text } from '@mantine/core';
import { Dialog } from '../../shared/dialog/dialog';
import { StartProbe } from '../../shared/ui/start-probe';

const KEY_PLACEHOLDER = 'PROBE_KEY';

interface StartCommandProps {
  /** The probe's name. */
  readonly name: string;
  readonly onClose: () => void;
}

export function StartCommand({ name, onClose }: StartCommandProps) {
  return (
    <Dialog title={`Start the probe “${name}”`} size="lg" onClose={onClose}>
      <Stack>
        <Text size="sm">
          Replace <Code>{KEY_PLACEHOLDER}</Code> with the key of the probe. If you no longer have
          it, rotate the key to get a new one.
        </Text>
        <StartProbe probeKey={KEY_PLACEHOLDER} />
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Done
        </Button>
      </Stack>
    </Dialog>
  );
}
