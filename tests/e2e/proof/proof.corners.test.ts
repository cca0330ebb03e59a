import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { proof } = messages;
const WORKER = '**/solver.worker*';
const ENTRY = '/auth/sign-in?step=email';

test.use({ expectedTrouble: [403] });

test('a third send from one network needs a proof: by a worker, or by waiting', async ({
	page,
	passTime,
	scripted,
	open,
	on,
	mail,
	address
}) => {
	for (let sent = 0; sent < defaultPolicy.throttle.networkFree; sent += 1) {
		const url = '/api/auth/email-otp/send-verification-otp';
		const answer = await page.request.post(url, { data: { email: address, type: 'sign-in' } });
		expect(answer.status()).toBe(200);
	}
	let release = (): void => undefined;
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route(WORKER, async (route) => held.then(() => route.continue()));
	const posts: (string | null)[] = [];
	page.on('request', (request) => {
		if (request.method() === 'POST') posts.push(request.postData());
	});
	const status = page.getByRole('status').filter({ hasText: proof.why.send });
	await open(ENTRY);
	await on.askForCode(address);
	await expect(status).toBeVisible();
	await expect(on.emailField).toHaveValue(address);
	await expect(on.emailField).toHaveAccessibleDescription(new RegExp(proof.why.send));
	expect(mail.codesSentTo(address)).toBe(2);
	if (scripted) {
		await expect(status).toHaveText(`${proof.why.send} ${proof.solving}`);
		await expect(page.getByRole('button', { name: proof.working })).toBeDisabled();
		release();
		await expect(on.codeField).toBeVisible();
		expect(posts.length).toBe(2);
	} else {
		await expect(status).toHaveText(`${proof.why.send} ${proof.ticket(20, proof.proceed)}`);
		const proceed = page.getByRole('button', { name: proof.proceed, exact: true });
		await passTime(15);
		await proceed.click();
		await expect(page.getByText(/^That was a little too soon. Wait \d more seconds/)).toBeVisible();
		await expect(on.emailField).toHaveValue(address);
		await passTime(6);
		await proceed.click();
		await expect(on.codeField).toBeVisible();
	}
	expect(mail.codesSentTo(address)).toBe(3);
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
});
