import { expect, test } from 'vitest';
import { aSignedInSite } from '../../support/web/sign-in.ts';

test('a kept text that another version has sealed is none, and is discarded', async () => {
	const { site, visitor } = await aSignedInSite();
	const context = `draft ${visitor.cookie('postern_browser')}`;
	const sealed = site.app.sealer.seal(JSON.stringify({ account: 'x', texts: ['Ada'] }), context);
	visitor.setCookie('postern_draft', sealed);
	expect((await visitor.open('/settings')).data['profile']).toMatchObject({ isDraft: false });
	expect(visitor.cookie('postern_draft')).toBeNull();
});
