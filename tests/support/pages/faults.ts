import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { loaded } from '../e2e/arrival.ts';
import { lowContrast } from './contrast.ts';

type Rules = Pick<Parameters<AxeBuilder['options']>[0], 'runOnly'>;

/** WCAG 2.2 AA, and axe’s own best practices. */
const ALL_RULES: Rules = {
	runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
};
/**
 * The rules that read sizes, places or colours. The others read the elements, and which of them are
 * shown.
 */
const LAYOUT_RULES: Rules = {
	runOnly: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']
};

/** In pixels: the width of a 1280 desktop at 400 %, and of the narrowest phone. */
const NARROW = { width: 320, height: 640 };
/** The size of click targets, in pixels; axe checks links within text, for 24. */
const TARGET = 44;

/** Less than half of what the builder sends by default. */
const AXE = readFileSync(
	createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
	'utf8'
);
/** For a page that has axe already: sending and parsing its source takes as long as a check. */
const KEEP = 'void 0';

const axe = async (page: Page, rules: Rules): Promise<readonly string[]> => {
	const isThere = await page.evaluate(() => 'axe' in window);
	const { violations } = await new AxeBuilder({ page, axeSource: isThere ? KEEP : AXE })
		.options({ ...rules, resultTypes: ['violations'] })
		.setLegacyMode()
		.analyze();
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`)
	);
};

/** Checks that axe does not have; runs in the page. */
const ownRules = (least: number): readonly string[] => {
	const faults: string[] = [];
	const { lang, dir } = document.documentElement;
	if (lang === '' || dir === '') faults.push(`language "${lang}", direction "${dir}"`);
	if (document.title.trim() === '') faults.push('no title');
	for (const { href, sheet } of document.querySelectorAll<HTMLLinkElement>(
		'link[rel="stylesheet"]'
	)) {
		if (sheet === null) faults.push(`a stylesheet that was not applied: ${href}`);
	}
	const headings = document.querySelectorAll('h1').length;
	if (headings !== 1) faults.push(`${headings} headings of the first level`);

	const described = [...document.querySelectorAll('[aria-describedby]')].flatMap((element) =>
		(element.getAttribute('aria-describedby') ?? '').split(' ')
	);
	for (const { id } of document.querySelectorAll('p[id$="-error"]')) {
		if (!described.includes(id)) faults.push(`no field is described by its error: #${id}`);
	}
	for (const id of described) {
		if (document.getElementById(id) === null)
			faults.push(`aria-describedby names no element: #${id}`);
	}
	for (const field of document.querySelectorAll('[aria-invalid="true"]')) {
		const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
		if (!ids.some((id) => /-(?:error|message)$/.test(id)))
			faults.push(`an invalid field has no error text: #${field.id}`);
	}

	const pressed = 'button, .button, .link, summary, label.check, footer a, input:not([type])';
	for (const element of document.querySelectorAll(`${pressed}, input[type="email"]`)) {
		const { width, height } = element.getBoundingClientRect();
		const isSeen = element.checkVisibility({ contentVisibilityAuto: true }) && width > 1;
		if (isSeen && (height < least - 0.5 || width < 24))
			faults.push(`${width} × ${height} pixels: ${element.outerHTML.slice(0, 120)}`);
	}
	return faults;
};

/** The elements, and which of them are shown. Runs in the page. */
const shownElements = (): { readonly text: string } => {
	const all = [...document.querySelectorAll('*')];
	const shown = all.map((one) => one.checkVisibility({ visibilityProperty: true }));
	return { text: document.documentElement.outerHTML + String(shown) };
};

/** Ends the transitions that began before less motion was asked for. Runs in the page. */
const endTransitions = (): void => {
	for (const animation of document.getAnimations()) {
		if (animation instanceof CSSTransition) animation.finish();
	}
};

/**
 * All faults of a page in its present state: on a desktop in light mode, and on a small phone in
 * dark mode. One of the two shows each fault of size or colour, because no colour depends on the
 * size.
 */
export const faultsOf = async (page: Page): Promise<readonly string[]> => {
	await loaded(page);
	const faults: string[] = [];
	const look = async (how: string, rules: Rules): Promise<void> => {
		await page.evaluate(endTransitions);
		const found = [...(await axe(page, rules)), ...(await page.evaluate(ownRules, TARGET))];
		faults.push(...found.map((fault) => `${how}: ${fault}`));
	};
	await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
	const before = await page.evaluateHandle(shownElements);
	await look('desktop, light', ALL_RULES);
	// Pages name the same colours in both modes, and tests/web/brand compares these in each.
	faults.push(...(await lowContrast(page)));
	await page.emulateMedia({ colorScheme: 'dark' });
	await page.setViewportSize(NARROW);
	// The observers of sizes run with a frame; the page may still show what they found before.
	await page.evaluate(async () => {
		for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
	});
	const after = await page.evaluateHandle(shownElements);
	const isSame = await page.evaluate(({ before, after }) => before.text === after.text, {
		before,
		after
	});
	await look('phone, dark', isSame ? LAYOUT_RULES : ALL_RULES);
	const moving = await page.evaluate(() => document.getAnimations().length);
	if (moving > 0) faults.push(`${moving} things move, though less motion is asked for`);
	const width = await page.evaluate(() => document.documentElement.scrollWidth);
	if (width > NARROW.width) faults.push(`${width} pixels wide where ${NARROW.width} are there`);
	return faults;
};
