/** The commands that start a probe on another machine, to be copied. */
import { Stack } from '@mantine/core';
import { useTemporalAddress } from '../data/temporal-address';
import { probeCommands } from '../text/probe-commands';
import { CopyField } from './copy-field';

interface StartProbeProps {
  /** A key, or a command that prints one. */
  readonly probeKey: string;
}

export function StartProbe({ probeKey }: StartProbeProps) {
  const temporalAddress = useTemporalAddress();
  const { origin } = window.location;
  const { node, docker } = probeCommands({ key: probeKey, origin, temporalAddress });
  return (
    <Stack gap="sm">
      <CopyField label="With Node.js" value={node} />
      <CopyField label="With Docker" value={docker} />
    </Stack>
  );
}
