import { writeFileSync } from 'node:fs';
import { advisoryPage } from '../tests/support/docs/advisory-page.ts';

writeFileSync('docs/advisories.md', await advisoryPage());
