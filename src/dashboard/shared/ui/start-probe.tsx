/** The commands that start a probe on another machine. */
import { Anchor, Code, Stack, Text } from '@mantine/core';
import { useServiceFacts } from '../data/service-facts';
import { HOST_PLACEHOLDER, probeCommands } from '../text/probe-commands';
import { CopyField } from './copy-field';

const HOW_TO = '/docs/self-hosting.md#probes-in-other-regions';

interface StartProbeProps {
  readonly probeKey: string;
}

export function StartProbe({ probeKey }: StartProbeProps) {
  const facts = useServiceFacts();
  const { origin } = window.location;
  const { docker, node, image, hasPlaceholder, isTemporalLocal } = probeCommands({
    key: probeKey,
    origins: facts === null ? [origin] : [facts.publicUrl, origin],
    temporalAddress: facts?.temporalAddress ?? null,
    version: facts?.version ?? null,
  });
  return (
    <Stack gap="sm">
      <Text size="sm" maw={720}>
        Run one of these commands on a machine in that region.{' '}
        {hasPlaceholder && (
          <>
            Replace <Code>{HOST_PLACEHOLDER}</Code> with the host name at which that machine reaches
            this service.{' '}
          </>
        )}
        {isTemporalLocal && 'Temporal listens only on localhost: make it reachable, too. '}
        <Anchor href={HOW_TO} target="_blank" rel="noreferrer" size="sm" underline="always">
          What a probe needs
        </Anchor>
      </Text>
      <CopyField label="With Docker" value={docker} />
      <Text size="xs" c="dimmed">
        <Code>{image}</Code> is the image that you built, or its name in your registry.
      </Text>
      <CopyField label="With Node.js, in a checkout of the source code" value={node} />
    </Stack>
  );
}
