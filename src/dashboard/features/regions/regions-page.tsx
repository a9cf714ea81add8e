/** The regions and their probes. Operators of the installation add regions and manage keys. */
import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { NewProbeKey, Page, ProbeKey, Region } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan, useSession } from '../../shared/data/session';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { CopyField } from '../../shared/ui/copy-field';
import { EmptyState } from '../../shared/ui/empty-state';
import { PageHead } from '../../shared/ui/page-head';
import { ShownOnce } from '../../shared/ui/shown-once';
import { StartProbe } from '../../shared/ui/start-probe';
import { ProbeKeyForm } from './probe-key-form';
import { joinRegions } from './region-entries';
import { RegionSection } from './region-section';
import { TEXT } from './strings';

const READ_AGAIN_MS = 20_000;
const POLLED = { refetchInterval: READ_AGAIN_MS };

/** A new key. It is shown only once. */
interface Made {
  readonly key: NewProbeKey;
  /** True: the new key replaces the key of a running probe. */
  readonly isRotated: boolean;
}

export function RegionsPage() {
  const isOperator = useIsOperator();
  const [made, setMade] = useState<Made | null>(null);
  /** The region that gets another probe; empty for a new region. */
  const [addingTo, setAddingTo] = useState<string | null>(null);
  const regions = useRead<Page<Region>>('/v1/regions?include=backlog', POLLED);
  const keys = useRead<Page<ProbeKey>>('/v1/probe-keys?limit=500', {
    ...POLLED,
    enabled: isOperator,
  });
  const isRead = regions.data !== undefined && (!isOperator || keys.data !== undefined);
  const entries = isRead ? joinRegions(regions.data?.data ?? [], keys.data?.data ?? []) : [];
  const close = (key: NewProbeKey | null): void => {
    setAddingTo(null);
    if (key !== null) setMade({ key, isRotated: false });
  };
  return (
    <div data-touch>
      <PageHead
        title="Regions"
        about={<Text c="dimmed">{isOperator ? TEXT.about : TEXT.aboutReadOnly}</Text>}
      >
        {isOperator && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAddingTo('')}>
            {TEXT.addRegion}
          </Button>
        )}
      </PageHead>
      {made !== null && <MadeKey made={made} onDone={() => setMade(null)} />}
      <Unread
        of={{ data: isRead ? entries : undefined, error: regions.error ?? keys.error }}
        shape={<PageLoading isBelowHead />}
      />
      {isRead && entries.length === 0 && (
        <EmptyState
          title="No regions yet"
          text="A region appears here as soon as its first probe runs."
        />
      )}
      <Stack gap="xl" mt={{ base: 'xs', sm: 0 }}>
        {entries.map((entry) => (
          <RegionSection
            key={entry.id}
            entry={entry}
            actions={
              isOperator
                ? {
                    addProbe: () => setAddingTo(entry.id),
                    onRotated: (key) => setMade({ key, isRotated: true }),
                  }
                : null
            }
          />
        ))}
      </Stack>
      {addingTo !== null && <ProbeKeyForm region={addingTo} onClose={close} />}
    </div>
  );
}

/** Only admins of the account that runs the installation may read and change probe keys. */
function useIsOperator(): boolean {
  const isAdmin = useCan('admin');
  return useSession().runsInstallation && isAdmin;
}

interface MadeKeyProps {
  readonly made: Made;
  readonly onDone: () => void;
}

function MadeKey({ made: { key: made, isRotated }, onDone }: MadeKeyProps) {
  const { name, region, key } = made;
  return (
    <ShownOnce
      title={`The key of probe “${name}” in ${region}`}
      about={
        isRotated
          ? 'Copy it now. You won’t be able to see it again. Set it at the probe, restart the probe, then revoke the old key.'
          : 'Copy it now. You won’t be able to see it again. The commands contain it.'
      }
      onDone={onDone}
    >
      <CopyField label="Probe key" value={key} />
      {!isRotated && <StartProbe probeKey={key} />}
    </ShownOnce>
  );
}
