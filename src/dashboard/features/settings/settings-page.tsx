/**
 * The pages of alerting and settings: the list of sections next to the current section. On narrow screens, the list is
 * a select. Each section is a separate chunk.
 */
import { Alert, Box, NativeSelect, type NativeSelectProps, NavLink, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useMayRead } from '../../shared/data/session';
import { PageLoading } from '../../shared/loading/page-loading';
import { PageHead } from '../../shared/ui/page-head';
import { HeadActionsSlot } from './head-actions';
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
  const isAdmin = useMayRead('admin');
  const shown = sections.filter(({ isForAdmins }) => isAdmin || !isForAdmins);
  const section = shown.find(({ name }) => name === given);
  const navigate = useNavigate();
  const [headSlot, setHeadSlot] = useState<HTMLElement | null>(null);
  return (
    <div className={classes['page']}>
      <NativeSelect
        hiddenFrom="md"
        aria-label={title}
        mb="md"
        size="md"
        leftSection={`${title} ·`}
        leftSectionWidth={88}
        leftSectionPointerEvents="none"
        rightSection={<IconChevronDown size={18} aria-hidden />}
        rightSectionPointerEvents="none"
        classNames={{ input: classes['select'] ?? '', section: classes['part'] ?? '' }}
        value={section?.name ?? ''}
        onChange={({ currentTarget }) => void navigate({ to: `${path}/${currentTarget.value}` })}
        data={listChoices(shown)}
      />
      <Box component="nav" visibleFrom="md" aria-label={`Sections of ${title.toLowerCase()}`}>
        <Text fw={650} size="lg" px="sm" mb="xs">
          {title}
        </Text>
        {groupSections(shown).map(([group, members]) => (
          <div key={group} className={classes['group']}>
            {group !== '' && (
              <Text size="xs" c="dimmed" px="sm" mb={2}>
                {group}
              </Text>
            )}
            {members.map(({ name, label, Icon }) => (
              <NavLink
                key={name}
                component={Link}
                to={`${path}/${name}`}
                label={label}
                active={name === given}
                aria-current={name === given ? 'page' : undefined}
                leftSection={<Icon size={16} aria-hidden />}
              />
            ))}
          </div>
        ))}
      </Box>
      <div className={classes['content']}>
        <PageHead title={section?.label ?? title}>
          <div ref={setHeadSlot} />
        </PageHead>
        <HeadActionsSlot value={headSlot}>
          <Suspense fallback={<PageLoading isBelowHead />}>
            {section === undefined ? (
              <Alert color="gray" variant="outline">
                This section does not exist or is for admins only.
              </Alert>
            ) : (
              <section.Content />
            )}
          </Suspense>
        </HeadActionsSlot>
      </div>
    </div>
  );
}

type Choice = NonNullable<NativeSelectProps['data']>[number];
type Group = readonly [name: string, members: readonly Section[]];

/**
 * Returns the sections by group, in the order of the sections. Sections without a group form one group with an empty
 * name.
 */
function groupSections(sections: readonly Section[]): readonly Group[] {
  const names = [...new Set(sections.map(({ group = '' }) => group))];
  return names.map((name) => [name, sections.filter(({ group = '' }) => group === name)]);
}

function listChoices(sections: readonly Section[]): NonNullable<NativeSelectProps['data']> {
  return groupSections(sections).flatMap<Choice>(([group, members]) => {
    const items = members.map(({ name, label }) => ({ value: name, label }));
    return group === '' ? items : [{ group, items }];
  });
}
