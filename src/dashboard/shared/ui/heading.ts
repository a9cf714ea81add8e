/** Headings below the page title: `Heading` for a section of the page, and `Subheading` for a part of a section. */
import { Title } from '@mantine/core';

export const Heading = Title.withProps({ order: 2, size: 'h4' });

export const Subheading = Title.withProps({ order: 3, size: 'h6', mb: 4 });
