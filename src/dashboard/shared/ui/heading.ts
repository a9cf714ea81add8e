/** Headings below the title of a page: of a part of it, and of what such a part consists of. */
import { Title } from '@mantine/core';

export const Heading = Title.withProps({ order: 2, size: 'h4' });

export const Subheading = Title.withProps({ order: 3, size: 'h6', mb: 4 });
