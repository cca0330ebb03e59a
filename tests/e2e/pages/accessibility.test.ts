import { faultsOf } from './faults.ts';
import { pageStates } from '../../support/pages/states.ts';
import { SERVERS, visit, type PageState } from '../../support/pages/visit.ts';
import { expect, test } from '../fixtures.ts';

// These states show refusals on purpose, and some set the clock of the pages.
test.use({ expectedTrouble: [400, 403, 404, 429, 503, 'no answer'], ownContext: true });

/** The number of states in one test; all workers share the tests. */
const PORTION = 8;

const portions = (states: readonly PageState[]): readonly (readonly PageState[])[] =>
	states.length === 0 ? [] : [states.slice(0, PORTION), ...portions(states.slice(PORTION))];

for (const [kind, serverOptions] of Object.entries(SERVERS)) {
	test.describe(`the ${kind} server`, () => {
		test.use({ serverOptions });
		const shown = pageStates.filter(({ on = 'usual', alike = false }) => on === kind && !alike);
		for (const portion of portions(shown)) {
			const names = portion.map(({ name }) => name).join(', ');
			test(`Q11 these pages have no accessibility violations: ${names}`, async ({
				context,
				server,
				freshAddress
			}) => {
				test.setTimeout(300_000);
				// No page may become wider than a small phone.
				const longAddress = (): string => `${'long'.repeat(11)}${freshAddress()}`;
				const faults: string[] = [];
				for (const [place, state] of portion.entries()) {
					const axeSees = place % 2 === 0 ? 'phone' : 'desktop';
					const page = await context.newPage();
					// A step, so that the report names a state that cannot be reached.
					await test.step(state.name, () =>
						visit(page, server, longAddress, state, async () => {
							for (const fault of await faultsOf(page, axeSees))
								faults.push(`${state.name}: ${fault}`);
						})
					);
					await page.close();
				}
				expect(faults).toEqual([]);
			});
		}
	});
}
