import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messages } from '#lib/messages/messages.ts';
import { bearer, call, signIn } from '../../support/http/client.ts';
import { expect, test } from '../fixtures.ts';

const { confirmEmailChange: texts } = messages;

test.use({ expectedTrouble: ['another site'] });

/** A page of another site that redirects its visitors to a URL of ours. */
const openSite = async (script: string): Promise<{ server: Server; url: string }> => {
	const server = createServer((_, answer) =>
		answer
			.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
			.end(
				`<!doctype html><title>another site</title><link rel=icon href=data:,><script>${script}</script>`
			)
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// 127.0.0.1 is another site than localhost, where the service is.
	return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

const ways = {
	'sets the location': (link: string) => `location.href = ${JSON.stringify(link)}`,
	'opens a window': (link: string) => `window.open(${JSON.stringify(link)})`
};

for (const [way, script] of Object.entries(ways)) {
	const revoked = way === 'opens a window';
	test(`R06 R07: another site that ${way} to a link that a stolen session requested changes nothing, ${revoked ? 'after that session ended' : 'while that session is live'}`, async ({
		page,
		server,
		arrive,
		open,
		on,
		inSettings,
		mail,
		address,
		freshAddress
	}) => {
		// The thief holds a session of the account and requests a change to an address of their own.
		const attackers = freshAddress();
		const thief = await signIn(server, address);
		const headers = bearer(thief.token);
		const json = { newEmail: attackers };
		expect((await call(server, '/api/auth/change-email', { json, headers })).status).toBe(200);
		const link = await mail.linkFor(attackers);
		await arrive(address);
		if (revoked) {
			await open('/settings');
			await page.getByRole('button', { name: messages.sessions.endOtherSessions }).click();
			await expect(page.getByText(messages.sessions.othersEnded)).toBeVisible();
		}

		const posts: string[] = [];
		page.context().on('request', (request) => {
			if (request.method() === 'POST') posts.push(request.url());
		});
		const site = await openSite(script(link));
		try {
			const popup = way === 'opens a window' ? page.waitForEvent('popup') : null;
			await page.goto(site.url);
			const landing = popup === null ? page : await popup;
			await landing.waitForURL('**/auth/verify-email');
			await landing.waitForLoadState('networkidle');
			const title = revoked ? texts.noneTitle : texts.title;
			await expect(landing.getByRole('heading', { name: title, exact: true })).toBeVisible();
			if (!revoked) await expect(landing.getByRole('main')).toContainText(attackers);
			expect(posts).toEqual([]);
		} finally {
			site.server.close();
		}
		await open('/settings');
		await expect(on.heading(messages.settings.title)).toBeVisible();
		await expect(inSettings.section('email')).toContainText(address);
		expect((await signIn(server, address)).email).toBe(address);
		expect(mail.mailsSentTo('email-change notice', address)).toBe(0);
	});
}
