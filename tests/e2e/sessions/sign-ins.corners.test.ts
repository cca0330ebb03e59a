import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { sessions, signIns: texts } = messages;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

test.use({ locale: 'de-DE', timezoneId: 'Asia/Tokyo' });

test('the account page lists the last sign-ins, which people can tell apart', async ({
	page,
	arrive,
	open,
	otherBrowser,
	address
}) => {
	await arrive(address, await otherBrowser(FIREFOX));
	await arrive(address);
	await open('/app');
	const list = page.getByRole('region', { name: texts.title });
	await expect(list.getByRole('listitem')).toHaveCount(2);
	const [own, other] = [list.getByRole('listitem').first(), list.getByRole('listitem').nth(1)];
	await expect(own).toContainText(sessions.current);
	await expect(own).toContainText('Chrome on');
	await expect(other).not.toContainText(sessions.current);
	await expect(other).toContainText('Firefox on Linux');
	await expect(other).toContainText(messages.device.kinds.desktop);
	await expect(other).toContainText('198.18.');
	await list.getByRole('link', { name: texts.manage }).click();
	await expect(page).toHaveURL('/settings#sessions');
});

test('times are those of the reader, or name UTC without JavaScript', async ({
	page,
	arrive,
	open,
	scripted,
	address
}) => {
	await arrive(address);
	await open('/app');
	const time = page.getByRole('region', { name: texts.title }).getByRole('time');
	const at = new Date((await time.getAttribute('datetime')) ?? '');
	if (scripted) {
		const inTokyo = { timeZone: 'Asia/Tokyo', dateStyle: 'long', timeStyle: 'short' } as const;
		const exact = new Intl.DateTimeFormat('de-DE', inTokyo).format(at);
		await expect(time).toHaveText(`vor 1 Minute · ${exact}`);
		await expect(time).toHaveAttribute('lang', 'de-DE');
	} else {
		await expect(time).toHaveText(messages.common.moment(at));
		expect(await time.getAttribute('lang')).toBeNull();
	}
});
