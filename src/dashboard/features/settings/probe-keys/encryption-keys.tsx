/** The encryption keys of the regions: what they are for, and a button to rotate each. */
import { Paper, Stack, Text } from '@mantine/core';
import { useAct } from '../../../shared/actions/use-act';
import type { Page, Region } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { confirm } from '../../../shared/dialog/confirm';
import { CardHead, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import { SmallButton } from '../../../shared/ui/small-button';
import { TEXT } from './strings';

/** Renders nothing while there are no regions: a region without probes has no encrypted data. */
export function EncryptionKeys() {
  const { data: regions } = useRead<Page<Region>>('/v1/regions');
  if (regions === undefined || regions.data.length === 0) return null;
  return (
    <section aria-labelledby="encryption-keys">
      <Heading id="encryption-keys" mt="xl" mb="xs">
        Encryption keys
      </Heading>
      <Stack gap={6} mb="md" maw={640}>
        {TEXT.encryption.map((sentence) => (
          <Text key={sentence} size="sm" c="dimmed">
            {sentence}
          </Text>
        ))}
      </Stack>
      <CardList label="Encryption keys">
        {regions.data.map(({ id }) => (
          <Paper key={id} component="li" withBorder p="sm">
            <CardHead actions={<RotateButton region={id} />}>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                {id}
              </Text>
            </CardHead>
          </Paper>
        ))}
      </CardList>
    </section>
  );
}

function RotateButton({ region }: { readonly region: string }) {
  const { act, isPending } = useAct([]);
  const ask = (): void =>
    confirm({
      title: `Rotate the encryption key of ${region}?`,
      text: 'Running probes fetch the new key within ten seconds, and checks go on. A revoked probe cannot read anything that is encrypted after that. The old key can’t be restored.',
      action: TEXT.rotate,
      isHarmless: true,
      onConfirm: () =>
        act(
          { method: 'POST', path: '/v1/regions/rotate-key', body: { region } },
          { done: `Encryption key of ${region} rotated.` },
        ),
    });
  return (
    <SmallButton loading={isPending} onClick={ask} aria-label={`${TEXT.rotateRegion} of ${region}`}>
      {TEXT.rotateRegion}
    </SmallButton>
  );
}
