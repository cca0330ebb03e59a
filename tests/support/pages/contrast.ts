import type { CDPSession, Page } from '@playwright/test';

/** What WCAG 2.2 AA requires of text, and of the shapes of controls. */
const LEAST = { text: 4.5, shape: 3 };

/** The states of a control in which axe does not see it. */
const STATES = [[], ['hover'], ['focus', 'focus-visible'], ['active']] as const;
const CONTROLS = 'a, button, input, label, summary';
/** What a state can change. */
const IN_CONTROLS = `:is(${CONTROLS}), :is(${CONTROLS}) *`;

/**
 * Texts, fields and focus rings with too little contrast, in every state of a control. Unlike axe,
 * it measures disabled buttons, selected text and placeholders too: people have to read them. The
 * page must have loaded: the nodes of a document that is still loading get other ids later.
 */
export const lowContrast = async (page: Page): Promise<readonly string[]> => {
	const session = await page.context().newCDPSession(page);
	try {
		const controls = await controlsOf(session);
		const faults = new Set<string>();
		for (const state of STATES) {
			// A new session forces no state.
			if (state.length > 0) await force(session, controls, state);
			const selector = state.length === 0 ? '*' : IN_CONTROLS;
			for (const fault of await page.evaluate(measure, { least: LEAST, selector })) {
				faults.add(`${state.at(-1) ?? 'plain'}: ${fault}`);
			}
		}
		return [...faults];
	} finally {
		await session.detach();
	}
};

const controlsOf = async (session: CDPSession): Promise<readonly number[]> => {
	await session.send('DOM.enable');
	await session.send('CSS.enable');
	const { root } = await session.send('DOM.getDocument');
	const selector = { nodeId: root.nodeId, selector: CONTROLS };
	return (await session.send('DOM.querySelectorAll', selector)).nodeIds;
};

const force = async (
	session: CDPSession,
	controls: readonly number[],
	state: readonly string[]
): Promise<void> => {
	const forcedPseudoClasses = [...state];
	await Promise.all(
		controls.map((nodeId) => session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses }))
	);
};

/** Runs in the page. */
const measure = ({
	least,
	selector
}: {
	readonly least: typeof LEAST;
	readonly selector: string;
}): readonly string[] => {
	type Colour = readonly [red: number, green: number, blue: number, alpha: number];
	const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
	if (canvas === null) throw new Error('no canvas');
	const parsed = new Map<string, Colour>();
	const parse = (text: string): Colour => {
		const known = parsed.get(text);
		if (known !== undefined) return known;
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = text;
		canvas.fillRect(0, 0, 1, 1);
		const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
		const colour: Colour = [red, green, blue, alpha / 255];
		parsed.set(text, colour);
		return colour;
	};
	const over = ([r, g, b, alpha]: Colour, [r2, g2, b2]: Colour): Colour => {
		const mix = (front: number, back: number): number => front * alpha + back * (1 - alpha);
		return [mix(r, r2), mix(g, g2), mix(b, b2), 1];
	};
	const luminance = ([red, green, blue]: Colour): number => {
		const [r, g, b] = [red, green, blue].map((part) => {
			const share = part / 255;
			return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
		}) as [number, number, number];
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ratio = (one: Colour, two: Colour): number => {
		const [light, dark] = [luminance(one), luminance(two)].sort((a, b) => b - a) as [
			number,
			number
		];
		return (light + 0.05) / (dark + 0.05);
	};
	// Siblings share what is behind them. No style changes while this function runs.
	const backgrounds = new Map<Element, Colour>();
	const behind = (element: Element | null): Colour => {
		if (element === null) return [255, 255, 255, 1];
		const known = backgrounds.get(element);
		if (known !== undefined) return known;
		const own = parse(getComputedStyle(element).backgroundColor);
		const colour = own[3] === 1 ? own : over(own, behind(element.parentElement));
		backgrounds.set(element, colour);
		return colour;
	};

	const faults: string[] = [];
	const check = (what: string, element: Element, front: string, back: Colour, need: number) => {
		const found = ratio(over(parse(front), back), back);
		// Compared before rounding: 4.499 rounds to 4.50, but is too little.
		if (found >= need) return;
		faults.push(`${what} ${found.toFixed(2)}: ${element.outerHTML.slice(0, 100)}`);
	};
	for (const element of document.body.querySelectorAll(selector)) {
		const { width } = element.getBoundingClientRect();
		if (width <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue;
		const style = getComputedStyle(element);
		const back = behind(element);
		const hasText = [...element.childNodes].some(
			(node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== ''
		);
		const isField = element.matches('input:not([type="hidden"])');
		if (hasText || isField) {
			check('text', element, style.color, back, least.text);
			const selection = getComputedStyle(element, '::selection');
			const marked = over(parse(selection.backgroundColor), back);
			check('selected text', element, selection.color, marked, least.text);
		}
		if (element.matches('input[placeholder]')) {
			const { color } = getComputedStyle(element, '::placeholder');
			check('placeholder', element, color, back, least.text);
		}
		if (isField) {
			check('border', element, style.borderTopColor, behind(element.parentElement), least.shape);
		}
		if (element.matches(':focus-visible') && style.outlineStyle !== 'none') {
			check('outline', element, style.outlineColor, behind(element.parentElement), least.shape);
		}
	}
	return faults;
};
