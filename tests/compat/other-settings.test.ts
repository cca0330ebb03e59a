import { describe } from 'vitest';
import { onBothDatabases } from '../support/http/worlds.ts';
import { inPages } from './page.cases.ts';
import { signingIn } from './sign-in.cases.ts';
import { serveSites } from './sites.ts';
import { STRICT_SETTINGS, strictSettings } from './strict-settings.cases.ts';

const sites = await serveSites();

onBothDatabases(
	(world) => {
		describe('in pages of other origins', () => inPages(world, sites));
		describe('signing in', () => signingIn(world));
		describe('strict settings', () => strictSettings(world));
	},
	{ env: { ...STRICT_SETTINGS, AUTH_TRUSTED_ORIGINS: `${sites.sameSite},${sites.crossSite}` } }
);
