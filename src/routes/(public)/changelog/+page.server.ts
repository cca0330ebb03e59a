import { parseChangelog } from '#lib/adapters/web/changelog.ts';
import source from '../../../../CHANGELOG.md?raw';
import type { PageServerLoad } from './$types';

const releases = parseChangelog(source);

export const load: PageServerLoad = () => ({ releases });
