/**
 * Alerting and the settings: a list of sections next to the current one, on narrow screens a select above it. Each
 * section is a separate chunk.
 */
import { Alert, Box, NativeSelect, NavLink } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useCan, useSession } from '../../shared/data/session';
import { PageLoading } from '../../shared/loading/page-loading';
import { PageHead } from '../../shared/ui/page-head';
import { ALERTING, SETTINGS, type Section } from './sections';
import classes from './settings.module.css';

export function AlertingPage() {
  return <SectionPage title="Alerting" path="/alerting" sections={ALERTING} />;
}

export function SettingsPage() {
  return <SectionPage title="Settings" path="/settings" sections={SETTINGS} />;
}

interface SectionPageProps {
  readonly title: string;
  readonly path: string;
  readonly sections: readonly Section[];
}

function SectionPage({ title, path, sections }: SectionPageProps) {
  const { section: given = '' } = useParams({ strict: false });
  const isAdmin = useCan('admin');
  const { runsInstallation } = useSession();
  const shown = sections.filter(
    ({ isForAdmins, isForOperators = false }) =>
      (isAdmin || !isForAdmins) && (runsInstallation || !isForOperators),
  );
  const section = shown.find(({ name }) => name === given);
  const navigate = useNavigate();
  return (
    <div className={classes['page']} data-touch>
      <NativeSelect
        hiddenFrom="md"
        label={title}
        mb="md"
        value={section?.name ?? ''}
        onChange={({ currentTarget }) => void navigate({ to: `${path}/${currentTarget.value}` })}
        data={shown.map(({ name, label }) => ({ value: name, label }))}
      />
      <Box component="nav" visibleFrom="md" aria-label={`Sections of ${title.toLowerCase()}`}>
        {shown.map(({ name, label, Icon }) => (
          <NavLink
            key={name}
            component={Link}
            to={`${path}/${name}`}
            label={label}
            active={name === given}
            aria-current={name === given ? 'page' : undefined}
            leftSection={<Icon size={16} aria-hidden />}
            className={classes['section'] ?? ''}
          />
        ))}
      </Box>
      <div className={classes['content']}>
        <PageHead title={section?.label ?? title} />
        <Suspense fallback={<PageLoading isBelowHead />}>
          {section === undefined ? (
            <Alert color="gray" variant="outline">
              This section does not exist or is for admins only.
            </Alert>
          ) : (
            <section.Content />
          )}
        </Suspense>
      </div>
    </div>
  );
}
