import { parseChangelog } from '#lib/adapters/web/pages/changelog.ts';
import source from '../../../../CHANGELOG.md?raw';
import type { PageServerLoad } from './$types';

const releases = parseChangelog(source);

export const load: PageServerLoad = () => ({ releases });
