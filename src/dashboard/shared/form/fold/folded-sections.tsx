/** Sections of a form, each folded into one line. */
import { Accordion, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { hasProblemUnder, type Problems } from '../problems/problems';
import classes from './fold.module.css';

export interface FoldedSection {
  readonly name: string;
  readonly title: string;
  /** One line about the values, which stays in view while the section is folded. */
  readonly summary: ReactNode;
  /** The fields of the section, by their names in /v1. A problem in one of them opens the section. */
  readonly fields: readonly string[];
  readonly content: ReactNode;
}

interface FoldedSectionsProps {
  readonly sections: readonly FoldedSection[];
  readonly problems: Problems;
  /** The names of the sections that are open at first. */
  readonly openAtFirst?: readonly string[];
}

export function FoldedSections({ sections, problems, openAtFirst = [] }: FoldedSectionsProps) {
  const [opened, setOpened] = useState([...openAtFirst]);
  const broken = sections
    .filter(({ fields }) => fields.some((field) => hasProblemUnder(problems, field)))
    .map(({ name }) => name);
  return (
    <Accordion
      variant="contained"
      order={2}
      multiple
      value={[...new Set([...opened, ...broken])]}
      onChange={setOpened}
      keepMounted={false}
      className={classes['sections'] ?? ''}
    >
      {sections.map(({ name, title, summary, fields, content }) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control data-holds={fields.join(' ')}>
            <span className={classes['title']}>{title}</span>{' '}
            <Text span size="sm" c="dimmed">
              {summary}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack>{content}</Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
