import { writeFileSync } from 'node:fs';
import { advisoryPage } from '../tests/support/advisory-page.ts';

writeFileSync('docs/advisories.md', await advisoryPage());
