import type { Plugin } from 'vite';
import { SAMPLE_ORIGIN, type ColouredCode } from '../lib/view/code.ts';
import { colourCode } from './colour-code.ts';

const MODULE = 'virtual:reference-samples';

/**
 * The commands and responses of the API reference, coloured. Their module contains each by its
 * text, because the reference itself is made at run time.
 */
export const referenceSamples = (): Plugin => ({
	name: 'reference-samples',
	resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
	load: async (id) => {
		if (id !== `\0${MODULE}`) return undefined;
		return `export const referenceSamples = ${JSON.stringify(await coloured())};`;
	}
});

const coloured = async (): Promise<Record<string, ColouredCode>> => {
	// Loaded only here: the configuration of the build is also read where there are no pages.
	const { openApiDocument } = await import('../lib/adapters/web/api/openapi/document.ts');
	const { apiReference } = await import('../lib/adapters/web/api/reference/api-reference.ts');
	const { groups } = apiReference(
		openApiDocument({
			origin: SAMPLE_ORIGIN,
			secure: false,
			signInLayout: 'single',
			siteName: ''
		})
	);
	const samples = groups
		.flatMap(({ operations }) => operations)
		.flatMap(({ curl, answer }) => [
			{ text: curl, lang: 'bash' },
			...(answer.body === null ? [] : [{ text: answer.body.example, lang: 'json' }])
		]);
	const made = await Promise.all(
		samples.map(async ({ text, lang }) => [text, await colourCode(text, lang)] as const)
	);
	return Object.fromEntries(made);
};
