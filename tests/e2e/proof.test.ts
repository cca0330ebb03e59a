import { messages } from '#lib/messages/messages.ts';
import { SERVERS, SOLVER } from '../support/pages/visit.ts';
import { expect, test } from './fixtures.ts';

const { proof } = messages;
const ENTRY = '/auth/sign-in?step=email';

test.use({
	serverOptions: SERVERS.proving,
	expectedTrouble: [403, 'no answer']
});

test('a page that cannot solve it says so, and an edited form starts anew', async ({
	page,
	open,
	on,
	address,
	freshAddress
}) => {
	await page.route(SOLVER, (route) => route.abort());
	await open(ENTRY);
	await on.askForCode(address);
	await expect(on.alert(proof.unable)).toBeVisible();
	await on.emailField.fill(freshAddress());
	await expect(on.alert(proof.unable)).toBeHidden();
	await page.unrouteAll();
	await on.sendButton.click();
	await expect(on.codeField).toBeVisible();
});

test('a page whose solution is refused submits it once, and leaves the rest to the person', async ({
	page,
	open,
	on,
	mail,
	address
}) => {
	const solution = JSON.stringify({ counter: 0, derivedKey: '0'.repeat(64) });
	const body = `self.onmessage = () => self.postMessage(${solution});`;
	await page.route(SOLVER, (route) => route.fulfill({ contentType: 'text/javascript', body }));
	let posts = 0;
	page.on('request', (request) => (posts += Number(request.method() === 'POST')));
	await open(ENTRY);
	await on.askForCode(address);
	await expect(on.alert(proof.again)).toBeVisible();
	await expect(on.sendButton).toBeEnabled();
	expect(posts).toBe(2);
	await page.unrouteAll();
	await on.sendButton.click();
	await expect(on.codeField).toBeVisible();
	expect([posts, mail.codesSentTo(address)]).toEqual([4, 1]);
});

test('the page solves a puzzle and goes on by itself, for each further code again', async ({
	page,
	passTime,
	on,
	mail,
	address,
	openCodePage
}) => {
	let workers = 0;
	page.on('worker', () => (workers += 1));
	await openCodePage(ENTRY);
	expect(workers).toBe(1);
	await passTime(31);
	await on.sendAgain();
	await expect(on.alert(proof.again)).toBeHidden();
	await expect(on.codeField).toBeFocused();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
	expect([workers, mail.codesSentTo(address)]).toEqual([2, 2]);
});
