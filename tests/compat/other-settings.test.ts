import { describe } from 'vitest';
import { onBothInLongForm } from '../support/http/fixtures.ts';
import { inPages } from './page.cases.ts';
import { signingIn } from './sign-in.cases.ts';
import { serveSites } from './sites.ts';
import { STRICT_SETTINGS, strictSettings } from './strict-settings.cases.ts';

const sites = await serveSites();

onBothInLongForm(
	(fixture) => {
		describe('in pages of other origins', () => inPages(fixture, sites));
		describe('signing in', () => signingIn(fixture));
		describe('strict settings', () => strictSettings(fixture));
	},
	{ env: { ...STRICT_SETTINGS, AUTH_TRUSTED_ORIGINS: `${sites.sameSite},${sites.crossSite}` } }
);
