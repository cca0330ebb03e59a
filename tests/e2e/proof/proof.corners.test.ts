import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { proof } = messages;
const ENTRY = '/auth/sign-in?step=email';

test.use({
	serverOptions: { env: { PROOF_OF_WORK: 'on' } },
	expectedTrouble: [403]
});

test('with PROOF_OF_WORK=on the page solves a task and goes on by itself, or says that it needs JavaScript', async ({
	page,
	scripted,
	open,
	on,
	mail,
	address
}) => {
	let workers = 0;
	page.on('worker', () => (workers += 1));
	await open(ENTRY);
	await on.askForCode(address);
	if (scripted) {
		await on.enterCode(await mail.codeFor(address));
		await expect(page).toHaveURL('/app');
	} else {
		await expect(on.alert(proof.needsScript)).toBeVisible();
		await expect(on.emailField).toHaveValue(address);
	}
	expect([workers, mail.codesSentTo(address)]).toEqual(scripted ? [1, 1] : [0, 0]);
});
