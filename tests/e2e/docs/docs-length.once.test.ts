import { expect, test } from '../fixtures.ts';

const SCREENS = [
	{ width: 1280, height: 800 },
	{ width: 412, height: 839 }
];

test('no page of the reference is longer than three screens, on a desktop or a phone', async ({
	page,
	server
}) => {
	await page.goto(`${server.address}/docs/api`);
	const links = await page
		.locator('main a')
		.evaluateAll((found: HTMLAnchorElement[]) => found.map(({ pathname }) => pathname));
	const ofReference = links.filter((path) => path.startsWith('/docs/api/'));
	const paths = [...new Set(['/docs', '/docs/api', ...ofReference])];
	expect(paths.length).toBeGreaterThan(25);
	const long: string[] = [];
	for (const path of paths) {
		await page.goto(server.address + path);
		for (const screen of SCREENS) {
			await page.setViewportSize(screen);
			const length = await page.evaluate(() => document.documentElement.scrollHeight);
			if (length > 3 * screen.height) long.push(`${path} at ${screen.width}: ${length}`);
		}
	}
	expect(long).toEqual([]);
});
